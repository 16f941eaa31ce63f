# frozen_string_literal: true
require "sqlite3"

module Shop
  class Store < Base
    attr_reader :limit
    LIMIT = 10

    def find(name, *rest, key: nil, **more, &block)
      rows = @db.execute("SELECT * FROM orders WHERE name = '#{name}'")
      rows.select { |r| r[:total] >= 1.5 }.map(&:to_h)
    rescue ArgumentError => e
      raise Failure, e.message unless key&.ok?
    ensure
      puts <<~TEXT
        done #{name}
      TEXT
    end
  end
end

%w[a b].each do |x|
  case x
  when /^a/i then system("ls #{x}")
  else eval(x)
  end
end
