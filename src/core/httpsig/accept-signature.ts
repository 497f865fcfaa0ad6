import { err, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier, readComponent } from './component.js';
import { LIMITS } from './limits.js';
import { WEB_BOT_AUTH_TAG } from './profiles/web-bot-auth.js';
import { type RouteKind } from './settings.js';
import {
  type BareItem,
  isInnerList,
  type Item,
  type Parameters,
  plainValue,
  readDictionary,
  writeMember,
} from './structured.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

export interface WantedSignature {
  readonly routeKind: RouteKind;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  /** `sig1` when left out. */
  readonly label?: string;
  /** `web-bot-auth` when left out: the profile whose keys anybody can publish. */
  readonly tag?: string;
  /** One of ours that the client has to use. */
  readonly nonce?: string;
}

const component = (name: string, parameters: readonly [string, string][] = []): Item => [
  name,
  new Map(parameters),
];

/**
 * The value of Accept-Signature (RFC 9421 section 5.1): what the same request has to cover to be taken. A read is taken
 * with `@authority` alone as well; what is asked for is full coverage, which is taken everywhere.
 */
export function acceptSignature(wanted: WantedSignature): string {
  const { hasBody, hasQuery, label = 'sig1', tag = WEB_BOT_AUTH_TAG, nonce } = wanted;
  const items = ['@method', '@authority', '@path'].map((name) => component(name));
  if (hasQuery) items.push(component('@query'));
  if (hasBody) items.push(component('content-digest'));
  const isWebBotAuth = tag === WEB_BOT_AUTH_TAG;
  if (isWebBotAuth) items.push(component('signature-agent', [['key', label]]));
  const parameters = new Map<string, BareItem>([
    ['created', true],
    ['expires', true],
    ['keyid', true],
  ]);
  if (!isWebBotAuth) parameters.set('alg', true);
  if (nonce !== undefined) parameters.set('nonce', nonce);
  else if (!isWebBotAuth) parameters.set('nonce', true);
  parameters.set('tag', tag);
  return `${label}=${writeMember([items, parameters])}`;
}

/** One member of an Accept-Signature. */
export interface AcceptedSignature {
  readonly label: string;
  readonly components: readonly ComponentIdentifier[];
  /** A flag asks for any value, a text for this one. */
  readonly parameters: ReadonlyMap<string, string | number | true>;
}

/** Reads an Accept-Signature, for who signs. Faults: malformed_header, duplicate_label, bad_component. */
export function readAcceptSignature(
  text: string,
): Result<readonly AcceptedSignature[], SignatureFault> {
  if (text.length > LIMITS.fieldCharacters)
    return err(fault('malformed_header', 'Accept-Signature is too long.'));
  const read = readDictionary(text, 'Accept-Signature');
  if (!read.ok) return read;
  const { members, marks } = read.value;
  if (marks.repeatedKey !== null)
    return err(fault('duplicate_label', `${quoted(marks.repeatedKey)} stands twice.`));
  const accepted: AcceptedSignature[] = [];
  for (const [label, member] of members) {
    if (!isInnerList(member))
      return err(fault('malformed_header', `${quoted(label)} is no list of components.`));
    const components: ComponentIdentifier[] = [];
    for (const item of member[0]) {
      const found = readComponent(item);
      if (!found.ok) return found;
      components.push(found.value);
    }
    accepted.push({ label, components, parameters: plainParameters(member[1]) });
  }
  return ok(accepted);
}

function plainParameters(given: Parameters): Map<string, string | number | true> {
  const plain = new Map<string, string | number | true>();
  for (const [key, value] of given) {
    const found = plainValue(value);
    if (found !== undefined) plain.set(key, found);
  }
  return plain;
}
