import { err, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier, parseComponent } from './component.js';
import { type HttpMessage } from './message.js';
import { signatureBase } from './signature-base.js';
import { isKey, writeMember } from './structured.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** A signature to be made: what it covers and its parameters, both in the order in which they are written. */
export interface SignatureRequest {
  readonly label: string;
  /** Texts of identifiers: `@method`, `"signature-agent";key="sig1"`. */
  readonly components: readonly string[];
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** What is signed, and the two header values that carry the result. */
export interface SignatureDraft {
  readonly base: Buffer;
  readonly signatureInput: string;
  readonly signature: (bytes: Uint8Array) => string;
}

/**
 * The base of a signature to be made. Faults, in order: malformed_header (the label is no key), those of the identifiers
 * and of the base, bad_parameter_type (a number that is no integer, a string that is not visible ASCII).
 * Not checked: what a profile demands.
 */
export function draftSignature(
  message: HttpMessage,
  { label, components: texts, parameters }: SignatureRequest,
): Result<SignatureDraft, SignatureFault> {
  if (!isKey(label)) return err(fault('malformed_header', `The label ${quoted(label)} is no key.`));
  const components: ComponentIdentifier[] = [];
  for (const text of texts) {
    const component = parseComponent(text);
    if (!component.ok) return component;
    components.push(component.value);
  }
  const given = new Map(Object.entries(parameters));
  const items = components.map(
    ({ name, parameters: own }): [string, Map<string, string | true>] => [name, new Map(own)],
  );
  const wrong = [...given].find(([key, value]) => !isParameter(key, value));
  if (wrong !== undefined)
    return err(fault('bad_parameter_type', `The parameter ${quoted(wrong[0])} cannot be written.`));
  const parametersText = writeMember([items, given]);
  const base = signatureBase(message, { components, parametersText });
  if (!base.ok) return base;
  return ok({
    base: Buffer.from(base.value, 'latin1'),
    signatureInput: `${label}=${parametersText}`,
    signature: (bytes) => `${label}=:${Buffer.from(bytes).toString('base64')}:`,
  });
}

const VISIBLE = /^[\x20-\x7e]*$/;

const isParameter = (key: string, value: string | number): boolean =>
  isKey(key) && (typeof value === 'string' ? VISIBLE.test(value) : Number.isSafeInteger(value));
