// The live page: follows /events in one of two codecs and shows what comes, how late, how large.
import { EventStream, bytesOf, types } from '/zmy-sse.js';

const $ = (id) => document.getElementById(id);
const shown = 12; // rows of the table
const kept = 1000; // latencies that the percentiles are of

let stream = null;
let count = 0, reconnects = 0, lost = 0;
// What was seen of each codec, the newest values of each kind; one that was left keeps them for comparison.
const seen = Object.fromEntries(['fxjson', 'zmy'].map((codec) => [codec, { events: 0, latencies: [], decoding: [], bytes: [], sent: [] }]));
const names = { fxjson: 'JSON', zmy: 'ZMY' };

const { Order } = types(await (await fetch('/order.lock')).text());

// Either codec's order, as { id, items, first, at }, at in ms.
const readers = {
  zmy: (data) => {
    const v = Order.view(bytesOf(data));
    return { id: v.ID, items: v.Items.length, first: v.Items.length ? v.Items.at(0).Sku : '', at: v.Timestamp.toDate().getTime() + v.Timestamp.nanoseconds % 1e6 / 1e6 };
  },
  fxjson: (data) => {
    const v = JSON.parse(data);
    return { id: v.id, items: v.items.length, first: v.items.length ? v.items[0].sku : '', at: timeOf(v.timestamp) };
  },
};

// The bytes of an event as its codec made them, and in the stream.
const sizes = {
  zmy: (data) => [data.length / 4 * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0), data.length],
  fxjson: (data) => Array(2).fill(new TextEncoder().encode(data).length),
};

// timeOf keeps what Date.parse drops behind the milliseconds.
function timeOf(text) {
  const fraction = /\.\d{3}(\d+)/.exec(text);
  return Date.parse(text) + (fraction ? Number('0.' + fraction[1]) : 0);
}

const now = () => performance.timeOrigin + performance.now();

function follow(codec) {
  stop();
  const figures = seen[codec];
  $('pause').textContent = 'Pause';
  let opened = false;
  const read = (data) => {
    const came = now();
    const order = readers[codec](data);
    const took = now() - came;
    const [bytes, sent] = sizes[codec](data);
    return { ...order, late: Math.max(0, came - order.at), took, bytes, sent };
  };
  stream = new EventStream('/events?codec=' + codec, { decode: { order: read } })
    .on('open', () => {
      if (opened) reconnects++;
      opened = true;
      state('open');
    })
    .on('error', ({ error }) => state(error ? String(error) : 'reconnecting'))
    .on('gap', () => { lost++; draw(figures); })
    .on('reset', () => { lost++; draw(figures); })
    .on('order', (order, event) => {
      add(figures.decoding, order.took);
      add(figures.latencies, order.late);
      add(figures.bytes, order.bytes);
      add(figures.sent, order.sent);
      figures.events++;
      count++;
      row([event.lastEventId, order.id, order.first, order.items, order.bytes, milliseconds(order.late)]);
      draw(figures);
    });
}

function stop() {
  stream?.close();
  stream = null;
}

function add(list, value) {
  list.push(value);
  if (list.length > kept) list.shift();
}

function percentile(list, p) {
  if (list.length === 0) return NaN;
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)];
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => Math.round(sum(list) / list.length);
const milliseconds = (ms) => (Number.isNaN(ms) ? '–' : ms.toFixed(ms < 10 ? 2 : 0) + ' ms');
const text = (id, value) => { $(id).textContent = value; };

function state(what) {
  text('state', what);
  text('reconnects', reconnects);
}

function draw({ latencies }) {
  text('count', count);
  text('lost', lost);
  text('p50', milliseconds(percentile(latencies, 0.5)));
  text('p99', latencies.length < 100 ? `– (${latencies.length} of 100)` : milliseconds(percentile(latencies, 0.99)));
  $('compared').replaceChildren(...Object.entries(seen).filter(([, of]) => of.events > 0).map(([codec, of]) => cells(
    [names[codec], of.events, milliseconds(percentile(of.latencies, 0.5)), milliseconds(sum(of.decoding) / of.decoding.length), mean(of.bytes), mean(of.sent)], [1, 2, 3, 4, 5])));
}

function cells(values, numbers) {
  const tr = document.createElement('tr');
  values.forEach((value, i) => {
    const td = document.createElement('td');
    td.textContent = value;
    if (numbers.includes(i)) td.className = 'n';
    tr.append(td);
  });
  return tr;
}

function row(values) {
  const rows = $('rows');
  if (count === 1) rows.replaceChildren();
  rows.prepend(cells(values, [3, 4, 5]));
  while (rows.children.length > shown) rows.lastChild.remove();
}

for (const radio of document.querySelectorAll('input[name=codec]')) {
  radio.addEventListener('change', () => { if (stream) follow(radio.value); });
}
$('pause').addEventListener('click', () => {
  if (stream) {
    stop();
    text('state', 'paused');
    $('pause').textContent = 'Go on';
    return;
  }
  follow(document.querySelector('input[name=codec]:checked').value);
});
$('add').addEventListener('click', async () => {
  const body = { items: [{ sku: 'HAND-1', price: '9.90', attrs: {}, details: { name: 'Added by hand' } }], metadata: { from: 'page' } };
  const answer = await fetch('/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) text('state', (await answer.json()).detail || answer.status);
});
$('ask').addEventListener('click', async () => {
  const codecs = await (await fetch('/codecs', { headers: { Accept: 'application/json' } })).json();
  const rows = [];
  for (const c of codecs) {
    const answer = await fetch('/sessions/demo', { headers: { Accept: c.media_types[0] } });
    const body = await answer.arrayBuffer();
    rows.push(cells([c.name, c.media_types[0], answer.ok ? body.byteLength : 'status ' + answer.status, answer.headers.get('X-Arm')], [2]));
  }
  $('sizes').replaceChildren(...rows);
});
$('samples').textContent = $('samples').textContent.replaceAll('BASE', location.origin);
follow('fxjson');
