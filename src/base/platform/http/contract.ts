import type { z } from 'zod';
import type { JsonMediaType } from './json-media-type.js';
import type { ProblemPrinter } from './problem-json.js';
import type { CallerSignature, Principal, ProblemCode, Role } from '../../../core/kernel/index.js';

/**
 * One HTTP route as data: the guard reads who may call it, the reader validates by it, the OpenAPI document and the
 * published table of roles are printed from it. A route that has no contract does not start.
 */
export interface RouteContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters, as OpenAPI spells them. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /**
   * Who may call. 'optional': anybody who sends no Authorization header; one that is sent has to hold a good key, of one of
   * `keyRoles`. The handler sees which by `@Arrival()`.
   */
  readonly access: 'public' | 'optional' | readonly Role[];
  /** Roles that a key may have where `access` is 'optional'; nowhere else. */
  readonly keyRoles?: readonly Role[];
  readonly idempotency: 'none' | 'optional' | 'required';
  /** A public route that probes ask and the rate limit does not count. */
  readonly uncounted?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Media types under which a JSON body is read; `application/json` alone when left out. */
  readonly json?: readonly JsonMediaType[];
  /** A body may be left out; `body` has to read undefined then. */
  readonly bodyOptional?: true;
  /** Of a protocol of others, whose own form some problems have; null = this one is printed like everywhere. */
  readonly problemAs?: ProblemPrinter;
  /** The body comes from a page's form (texts only) instead of as JSON. */
  readonly form?: true;
  /** The body is a table of comma-separated values (`text/csv`) instead of JSON; `body` reads it as one string. */
  readonly csv?: true;
  /** The body is the lines of a protocol (`text/plain`, or of no said type) instead of JSON; `body` reads it as one string. */
  readonly lines?: true;
  /** A GET that writes an entry all the same: HEAD, of which nobody expects that, is not known on its path. */
  readonly writes?: true;
  /** People open it with a browser: who accepts HTML reads the problems of its path, and of paths below it, as a page. */
  readonly page?: true;
  /** Bodies to start from, by a name of a few words; every one has to be read by `body`. */
  readonly examples?: Readonly<Record<string, NoInfer<z.input<Body>>>>;
  /**
   * Status of success and its body; null = no body. 303: what came of it is shown on another page. `mediaType`: that of a
   * body that is not JSON.
   */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204 | 303;
    readonly body: z.ZodType | null;
    readonly mediaType?: string;
  };
  /** Problems this route may answer beside those that every route may (see PROBLEMS_OF_EVERY_ROUTE). */
  readonly problems: readonly ProblemCode[];
}

/** Identity function that keeps the schema types. */
export const route = <
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  contract: RouteContract<Params, Query, Body>,
): RouteContract<Params, Query, Body> => contract;

/** What a handler receives through `@Input()`: parsed, with unknown members refused. */
export type InputOf<C> =
  C extends RouteContract<infer Params, infer Query, infer Body>
    ? {
        readonly params: z.output<Params>;
        readonly query: z.output<Query>;
        readonly body: z.output<Body>;
      }
    : never;

/** What a handler receives through `@Caller()`. `idempotency` is the claim to hand to the command, or null. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  /** Of this request, when it verified; null = unsigned, or nothing that was proved. */
  readonly signature?: CallerSignature | null;
  readonly idempotency: {
    readonly scope: string;
    readonly key: string;
    readonly requestHash: string;
  } | null;
}
