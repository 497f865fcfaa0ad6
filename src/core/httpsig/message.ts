/** One header line as it was sent: name in any case, value before trimming (an obs-fold may stand in it). */
export type HeaderLine = readonly [name: string, value: string];

interface MessageParts {
  /** In the order of the wire; a name may occur twice. Never joined, never dropped (Node: rawHeaders). */
  readonly headers: readonly HeaderLine[];
  readonly trailers?: readonly HeaderLine[];
  /** The bytes as transferred, before a content coding is removed; null: none. */
  readonly body: Uint8Array | null;
}

export interface HttpRequestMessage extends MessageParts {
  readonly kind: 'request';
  /** Case as sent. */
  readonly method: string;
  readonly scheme: string;
  /** Host as the client saw it, with its port when one was named; normalised here (case, default port). */
  readonly authority: string;
  /** The raw request target, origin form; never passed through a URL parser. */
  readonly target: string;
  readonly request?: null;
}

export interface HttpResponseMessage extends MessageParts {
  readonly kind: 'response';
  readonly status: number;
  /** What `;req` speaks of; null: the request is not known. */
  readonly request: HttpRequestMessage | null;
}

/** An HTTP message as RFC 9421 sees it. */
export type HttpMessage = HttpRequestMessage | HttpResponseMessage;
