import { signRequest, type SigningOptions } from './sign-request.js';

/** What `fetch` is, for whoever takes one: the SDKs of A2A, openapi-fetch and others. */
export type FetchFunction = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/** Options that hold for every request; label, nonce and time are made for each. */
export type SigningFetchOptions = Omit<SigningOptions, 'nonce' | 'nowMs'> & {
  /** Epoch milliseconds; the clock of this machine when left out. */
  readonly now?: () => number;
};

/**
 * A `fetch` that signs what it sends. The body is read as a whole, since its digest stands in the headers. A redirect is
 * answered and not followed, unless asked for: a signature is for one target.
 */
export function signingFetch(
  { now, ...options }: SigningFetchOptions,
  send: FetchFunction = fetch,
): FetchFunction {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const { method, url, headers } = request;
    const added = await signRequest(
      { method, url, headers, body },
      { ...options, ...(now === undefined ? {} : { nowMs: now() }) },
    );
    const signed = new Headers(headers);
    for (const [name, value] of Object.entries(added)) signed.set(name, value);
    return send(url, {
      ...init,
      method,
      headers: signed,
      body,
      redirect: init?.redirect ?? 'manual',
      signal: request.signal,
    });
  };
}
