export const JSON_CONTENT_TYPE = 'application/json';
/** JSON of the A2A protocol's HTTP+JSON binding. */
export const A2A_JSON_CONTENT_TYPE = 'application/a2a+json';

/** What is parsed as JSON at all. Which of them a route reads, its contract says. */
export const JSON_MEDIA_TYPES = [JSON_CONTENT_TYPE, A2A_JSON_CONTENT_TYPE] as const;
export type JsonMediaType = (typeof JSON_MEDIA_TYPES)[number];

/** JSON that was sent under another name than `application/json`, until the contract has said whether it takes that one. */
export class NamedJson {
  constructor(
    readonly contentType: JsonMediaType,
    readonly value: unknown,
  ) {}
}
