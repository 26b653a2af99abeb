// Calls every method of the service at an address with grpc-js, and prints ok if all answers are right.
// Usage: node client.js ADDRESS shop.proto
'use strict';
const assert = require('node:assert/strict');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const count = 12;
const [address, proto] = process.argv.slice(2);
const def = loader.loadSync(proto, {longs: String, enums: Number, oneofs: true});
const {Orders} = grpc.loadPackageDefinition(def).shop;
const shop = new Orders(address, grpc.credentials.createInsecure());

const get = (number) => new Promise((done, fail) => shop.GetOrder({number}, (err, o) => (err ? fail(err) : done(o))));
const all = (stream) => new Promise((done, fail) => {
  const out = [];
  stream.on('data', (x) => out.push(x)).on('error', fail).on('end', () => done(out));
});
const send = (stream, orders) => {
  orders.forEach((o) => stream.write(o));
  stream.end();
};

function check(o, n) {
  assert.equal(o.id, `A-${n}`);
  assert.equal(o.items.length, (n % 3) + 1);
  assert.equal(o.items.at(-1).qty, (n % 3) + 1);
  assert.equal(o.placed.seconds, String(1700000000 + n));
  assert.equal(o.placed.nanos ?? 0, 5 * n);
  assert.equal(o.labels['höher'], String(n));
  assert.equal(o.labels.low, String(-n));
  assert.equal('note' in o, n % 2 === 1);
  assert.equal(o.state ?? 0, n % 3);
  assert.equal(o.payment, [undefined, 'voucher', 'card'][n % 3]);
  assert.equal(o.balance ?? '0', String(-1000 * n));
  assert.equal(o.serial, String((1n << 63n) + BigInt(n)));
  assert.deepEqual([...o.seal], [n, 0, 255]);
  assert.deepEqual(o.weights, [0.5 * n, -1.25]);
}

async function main() {
  const orders = [];
  for (let n = 0; n < count; n++) {
    orders.push(await get(n));
    check(orders[n], n);
  }
  assert.deepEqual(await all(shop.List({number: count})), orders);
  await assert.rejects(get(-1), (err) => err.code === grpc.status.NOT_FOUND && err.details === 'no order -1');
  const prices = orders.map((o) => o.items.reduce((sum, i) => sum + (i.price ?? 0) * i.qty, 0));
  const priced = shop.Price();
  const receipts = all(priced);
  send(priced, orders);
  assert.deepEqual((await receipts).map((r) => r.total), prices);
  const sum = await new Promise((done, fail) => send(shop.Put((err, r) => (err ? fail(err) : done(r))), orders));
  assert.equal(sum.orders, String(count));
  assert.equal(sum.total, prices.reduce((a, b) => a + b, 0));
  shop.close();
  console.log('ok');
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
