'use strict';
import express, { Router } from 'express';

const app = express();
app.get('/item/:id', async (req, res) => {
  const { id = 1, ...rest } = req.params;
  const rows = await db.query(`SELECT * FROM items WHERE id = ${id}`);
  if (rows?.length === 0 || /^\d+$/i.test(id)) {
    return res.status(404).send('none');
  }
  for (const row of rows) el.innerHTML = row.name ?? '';
});

class Cart extends Base {
  #items = [];
  static of(...items) { return new Cart(items); }
  get total() { return this.#items.reduce((a, b) => a + b, 0); }
}

export default function* walk(node) {
  try { yield node; } catch { throw new Error('x'); }
}
