#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace shapes {

enum class Colour : unsigned char { red, green };

template <typename T>
concept Sized = requires(T t) { t.size(); };

class Shape {
public:
    explicit Shape(std::string name) : name_(std::move(name)) {}
    virtual ~Shape() = default;
    virtual double area() const noexcept = 0;
    const std::string &name() const { return name_; }

private:
    std::string name_;
};

class Circle final : public Shape {
public:
    Circle(double r) : Shape{"circle"}, r_{r} {}
    double area() const noexcept override { return 3.14159 * r_ * r_; }

private:
    double r_ = 0.0;
};

template <typename T, std::size_t N>
T sum(const T (&values)[N]) {
    T total{};
    for (auto value : values)
        total += value;
    return total;
}

int main(int argc, char **argv) {
    auto *raw = new int[3]{1, 2, 3};
    std::vector<std::unique_ptr<Shape>> all;
    all.push_back(std::make_unique<Circle>(2.5));
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a->area() < b->area(); });
    try {
        if (auto it = all.begin(); it != all.end() && argc > 1)
            throw std::runtime_error(argv[1]);
    } catch (const std::exception &e) {
        return static_cast<int>(sizeof(e));
    }
    const char *text = R"(raw "text")";
    delete[] raw;
    return text == nullptr ? 1 : 0;
}

} // namespace shapes
