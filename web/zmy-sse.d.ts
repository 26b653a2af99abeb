// Types of zmy-sse.js. They name nothing of the DOM or of Node, so that a program for either can use them.

/** The bytes of base64 text (RFC 4648, section 4); throws on anything else. */
export function bytesOf(base64: string): Uint8Array;

// ---- Streams ----

/** An event as handlers get it: a MessageEvent of the browser or of another EventSource. */
export interface StreamEvent {
  readonly type: string;
  readonly data?: any;
  readonly lastEventId?: string;
}

/** An EventSource, as far as EventStream uses it. */
export interface Source {
  readonly readyState: number;
  onopen: ((event: any) => any) | null;
  onerror: ((event: any) => any) | null;
  addEventListener(type: string, listener: (event: any) => any): void;
  close(): void;
}

/** How the data of a type of event is decoded. */
export type Decoder = "text" | "json" | "bytes" | StructType<any> | ((data: string) => unknown);

/** The value that a Decoder makes. */
export type Decoded<D> = D extends "text" ? string
  : D extends "json" ? any
  : D extends "bytes" ? Uint8Array
  : D extends { view(bytes: Uint8Array): infer V } ? V
  : D extends (data: string) => infer R ? R
  : unknown;

/** The options of an EventStream. */
export interface StreamOptions<D> {
  /** How the data of each type of event is decoded; "text" where nothing is said. */
  decode?: D;
  /** Milliseconds before a new stream is opened where the browser has given up: 5,000; twice as long after each failure, up to a minute. */
  retry?: number;
  /** Whether a new stream is opened there: true. */
  reopen?: boolean;
  /** Sends cookies to another origin, as of EventSource: false. */
  withCredentials?: boolean;
  /** The ID of the event after which the stream begins. */
  lastEventId?: string;
  /** Another implementation of EventSource, for instance for Node. */
  EventSource?: new (url: string, init?: { withCredentials?: boolean }) => Source;
}

/** A stream of events that reopens after every kind of failure. */
export class EventStream<const D extends Record<string, Decoder> = {}> {
  constructor(url: string | { readonly href: string }, options?: StreamOptions<D>);

  /** The ID of the last event, "" before the first. */
  lastEventId: string;

  /** 0 while connecting, 1 while open, 2 once closed, as of EventSource. */
  get readyState(): 0 | 1 | 2;

  /** Calls handler for each event of a type, in order. Returns this. */
  on<T extends keyof D & string>(type: T, handler: (value: Decoded<D[T]>, event: StreamEvent) => void): this;
  /** "open" is called when a connection stands. */
  on(type: "open", handler: (value: undefined, event: null) => void): this;
  /** "error" is called when a connection is lost (error is null) or an event cannot be decoded. */
  on(type: "error", handler: (failure: { error: any; event: StreamEvent }, event: StreamEvent) => void): this;
  /** "reset" is called where events may be missing: fetch the state anew. */
  on(type: "reset", handler: (value: { reason: string }, event: StreamEvent) => void): this;
  /** "gap" is called where a slow connection has lost the events from one ID to another. */
  on(type: "gap", handler: (value: { from: string; to: string; dropped: number }, event: StreamEvent) => void): this;
  on(type: string, handler: (value: any, event: StreamEvent) => void): this;

  /** Ends the stream for good. */
  close(): void;
}

// ---- ZMY native ----

/** A view of a message: a property for each field, read when it is asked for; a RangeError where the message is broken. */
export type View<T> = Readonly<T> & {
  /** A plain object with all fields: what JSON.stringify sees. */
  toJSON(): Record<string, unknown>;
};

/** A struct of a schema. T has its fields, which the program declares: nothing checks that they are those of the schema. */
export class StructType<T = any> {
  private constructor();
  readonly name: string;
  /** A view of the message in bytes. */
  view(bytes: Uint8Array): View<T>;
}

/**
 * The structs that a schema describes, by name. text is a zmy.lock: a line "struct Name", and a line "number name
 * type" for each field. S has the fields of each struct. A SyntaxError names a line that is none.
 */
export function types<S extends Record<keyof S, object> = Record<string, any>>(text: string): { readonly [K in keyof S]: StructType<S[K]> };

/** Elements that are read when they are asked for: of lists, and of arrays. */
export class List<E = any> implements Iterable<E> {
  private constructor();
  readonly length: number;
  /** Element i; a RangeError outside of the list. */
  at(i: number): E;
  [Symbol.iterator](): Generator<E, void, unknown>;
}

/** A moment: seconds since year 1, nanoseconds, and the zone's seconds east of UTC where it was sent. */
export class Time {
  constructor(seconds: bigint, nanoseconds: number, zone?: number);
  readonly seconds: bigint;
  readonly nanoseconds: number;
  readonly zone: number;
  static ofUnixNano(n: bigint): Time;
  /** As a Date, which has milliseconds. */
  toDate(): Date;
}
