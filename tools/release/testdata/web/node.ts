// Follows a stream in Node, and reads the message that is given as base64: node.mjs URL MESSAGE.
import { bytesOf, EventStream, types } from "@zmylab/web";
import { EventSource } from "eventsource";

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

type Order = { ID: string; Total: number };

const { Order } = types<{ Order: Order }>("struct Order\n0 ID string\n1 Total float64");
const message = Order.view(bytesOf(process.argv[3]!));
console.log(JSON.stringify(message));

let count = 0;
const stream = new EventStream(process.argv[2] + "/native", { EventSource, decode: { order: Order, note: "text" } })
  .on("order", (order, event) => {
    const id: string = order.ID;
    const total: number = order.Total;
    // @ts-expect-error: the type has no such field
    order.Weight;
    console.log(`${id} ${total}`);
    if (event.lastEventId !== stream.lastEventId) throw new Error(`event ${event.lastEventId} of a stream at ${stream.lastEventId}`);
    if (++count === 10) stream.close();
  })
  .on("note", (text) => text.length)
  .on("reset", ({ reason }) => { throw new Error(reason); });
