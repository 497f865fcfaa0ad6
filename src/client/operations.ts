import type { paths } from './api.js';

/** What the types of one route say about calling it. All of it is taken from the generated `paths`. */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Known<Name extends Method> = { readonly [Key in Name]: { responses: unknown } };

/** The paths that know a method. */
export type PathOf<Name extends Method> = {
  [Path in keyof paths]: paths[Path] extends Known<Name> ? Path : never;
}[keyof paths];

type Operation<Name extends Method, Path extends keyof paths> = paths[Path] extends {
  readonly [Key in Name]: infer Found;
}
  ? Found
  : never;

type PathPart<Op> = Op extends { parameters: { path: infer Part extends object } }
  ? { readonly path: Part }
  : { readonly path?: never };

type QueryPart<Op> = Op extends { parameters: { query: infer Part extends object } }
  ? { readonly query: Part }
  : Op extends { parameters: { query?: infer Part } }
    ? { readonly query?: Part }
    : { readonly query?: never };

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : never;

/** A table is sent as it is, as one text. */
type SentBodyOf<Content> = Content extends { content: { 'text/csv': infer Text } }
  ? Text
  : JsonOf<Content>;

type BodyPart<Op> = Op extends { requestBody: infer Body extends object }
  ? { readonly body: SentBodyOf<Body> }
  : { readonly body?: never };

export interface CallOptions {
  /**
   * For routes that take an Idempotency-Key. Left out, the client makes one; give the key of an earlier call, with the
   * same input, to ask what became of it.
   */
  readonly idempotencyKey?: string;
  /** Ends the call, its pauses included. */
  readonly signal?: AbortSignal;
}

/** What a route has to be given: `path`, `query` and `body`, as far as it has them, and the options of the call. */
export type InputOf<Name extends Method, Path extends keyof paths> = PathPart<
  Operation<Name, Path>
> &
  QueryPart<Operation<Name, Path>> &
  BodyPart<Operation<Name, Path>> &
  CallOptions;

type AnswersOf<Responses> = {
  [Status in keyof Responses & number]: Responses[Status] extends {
    content: { 'application/json': infer Body };
  }
    ? Body
    : undefined;
}[keyof Responses & number];

/** The body of the answer: a refusal is one too. Undefined for a route that answers without a body. */
export type ValueOf<Name extends Method, Path extends keyof paths> =
  Operation<Name, Path> extends { responses: infer Responses } ? AnswersOf<Responses> : never;

/** `input` may be left out where nothing in it is required. */
export type Arguments<Name extends Method, Path extends keyof paths> =
  Record<never, never> extends InputOf<Name, Path>
    ? readonly [input?: InputOf<Name, Path>]
    : readonly [input: InputOf<Name, Path>];
