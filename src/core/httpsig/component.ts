import { err, ok, type Result } from '../kernel/index.js';
import { LIMITS } from './limits.js';
import { type Item, readItem } from './structured.js';
import { scanMembers } from './structured-scan.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** One covered component: a field in lower case or a derived component, with its parameters. */
export interface ComponentIdentifier {
  readonly name: string;
  /** In the order sent; flags are true. */
  readonly parameters: ReadonlyMap<string, string | true>;
  /** Canonical text, as it begins its line of the base: `"content-digest"`, `"@query-param";name="x"`. */
  readonly text: string;
  /** Equal for two identifiers that differ in the order of parameters only. */
  readonly identity: string;
}

export const DERIVED_COMPONENTS = [
  '@method',
  '@target-uri',
  '@authority',
  '@scheme',
  '@request-target',
  '@path',
  '@query',
  '@query-param',
  '@status',
] as const;
export type DerivedComponent = (typeof DERIVED_COMPONENTS)[number];

const DERIVED: ReadonlySet<string> = new Set(DERIVED_COMPONENTS);
/** A field name in lower case (RFC 9110 section 5.1). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const FLAGS: ReadonlySet<string> = new Set(['sf', 'bs', 'tr', 'req']);
const TEXTS: ReadonlySet<string> = new Set(['key', 'name']);

export const isDerived = (name: string): name is DerivedComponent => DERIVED.has(name);

const bad = (text: string, why: string): Result<never, SignatureFault> =>
  err(fault('bad_component', `The component ${quoted(text)} ${why}.`));

/**
 * Reads one item of the covered list by the rules that need no message (facts/signatures.md 1.2, 1.3): a name in lower
 * case, known derived components only, known parameters only, each of its type, and only where it fits.
 */
export function readComponent([name, given]: Item): Result<ComponentIdentifier, SignatureFault> {
  if (typeof name !== 'string')
    return err(fault('malformed_header', 'A covered component is not a string.'));
  if (name.length > LIMITS.componentCharacters) return bad(name, 'is too long');
  if (!isDerived(name) && !FIELD_NAME.test(name)) return bad(name, reasonOfName(name));
  const parameters = new Map<string, string | true>();
  for (const [key, value] of given) {
    if (FLAGS.has(key) ? value !== true : !TEXTS.has(key) || typeof value !== 'string')
      return bad(name, `has an unknown parameter or one of another type, ${quoted(key)}`);
    if (typeof value === 'string' && value.length > LIMITS.componentCharacters)
      return bad(name, 'has a parameter that is too long');
    parameters.set(key, value as string | true);
  }
  const misfit = misfitOf(name, parameters);
  return misfit === null ? ok(identified(name, parameters)) : bad(name, misfit);
}

function reasonOfName(name: string): string {
  if (name === '@signature-params') return 'is the last line of every base and is never listed';
  if (name.startsWith('@')) return 'is no derived component of RFC 9421';
  return /[A-Z]/.test(name) ? 'is not in lower case' : 'is no field name';
}

function misfitOf(name: string, parameters: ReadonlyMap<string, string | true>): string | null {
  const has = (key: string): boolean => parameters.has(key);
  if (name === '@query-param' ? !has('name') : has('name'))
    return 'has a parameter name exactly when it is @query-param';
  if (isDerived(name)) {
    const ofFields = has('sf') || has('key') || has('bs') || has('tr');
    return ofFields ? 'takes no parameter of fields' : null;
  }
  return has('bs') && (has('sf') || has('key')) ? 'takes bs only without sf and key' : null;
}

const escaped = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function identified(
  name: string,
  parameters: ReadonlyMap<string, string | true>,
): ComponentIdentifier {
  if (parameters.size === 0) {
    const plain = `"${name}"`;
    return { name, parameters, text: plain, identity: plain };
  }
  const texts = [...parameters].map(([key, value]) =>
    value === true ? `;${key}` : `;${key}=${escaped(value)}`,
  );
  const text = `"${name}"${texts.join('')}`;
  return { name, parameters, text, identity: `"${name}"${texts.sort().join('')}` };
}

/** Reads the text of one identifier, `"@query-param";name="x"`; a bare name, `@path`, is taken too. */
export function parseComponent(text: string): Result<ComponentIdentifier, SignatureFault> {
  const quotedText = text.startsWith('"') ? text : `"${text}"`;
  const item = readItem(quotedText, 'A component');
  if (!item.ok) return item;
  if (scanMembers(quotedText).repeatedParameter !== null) return bad(text, 'has a parameter twice');
  return readComponent(item.value);
}
