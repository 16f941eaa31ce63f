<?php
declare(strict_types=1);

namespace Shop;

use PDO;

#[Route('/orders')]
final class Store extends Base implements Countable
{
    public function __construct(private readonly PDO $db, protected ?int $limit = 10) {}

    public function find(string $name, int ...$rest): ?array
    {
        $rows = $this->db->query("SELECT * FROM orders WHERE name = '{$name}'");
        foreach ($rows as $key => $row) {
            echo htmlspecialchars($row['name'] ?? ''), PHP_EOL;
        }
        return array_map(fn ($r) => $r::class, $rows) ?: null;
    }
}

if (isset($_GET['q'])) {
    include $_GET['q'] . '.php';
}
?>
<p><?= $title ?></p>
