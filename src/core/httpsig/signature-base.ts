import { err, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier } from './component.js';
import { ComponentReader, type FieldTypes } from './component-value.js';
import { FIELD_TYPES } from './field-types.js';
import { LIMITS } from './limits.js';
import { type HttpMessage } from './message.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** What one signature covers, and its parameters as they are signed. */
export interface SignatureSubject {
  readonly components: readonly ComponentIdentifier[];
  /** The member re-serialised, without its label: `("@method");created=1;keyid="k"`. */
  readonly parametersText: string;
}

/** A line of a base is visible ASCII, spaces and inner tabs. */
const LINE = /^[\t\x20-\x7e]*$/;

/**
 * The signature base (RFC 9421 section 2.5): a line for each component, then `@signature-params`; LF between lines, none
 * at the end. Faults, for the first component at fault: duplicate_component, bad_component, component_not_in_message.
 * Not checked: what has to be covered (see the profiles).
 */
export const signatureBase = (
  message: HttpMessage,
  subject: SignatureSubject,
  fieldTypes: FieldTypes = FIELD_TYPES,
): Result<string, SignatureFault> => baseOf(new ComponentReader(message, fieldTypes), subject);

/** {@link signatureBase} for several signatures of one message. */
export function baseOf(
  reader: ComponentReader,
  { components, parametersText }: SignatureSubject,
): Result<string, SignatureFault> {
  if (components.length > LIMITS.components)
    return err(fault('malformed_header', `More than ${LIMITS.components} components are covered.`));
  const repeated = repeatedComponent(components);
  if (repeated !== null)
    return err(fault('duplicate_component', `${quoted(repeated.text)} is covered twice.`));
  let base = '';
  for (const component of components) {
    const value = reader.value(component);
    if (!value.ok) return value;
    if (!LINE.test(value.value))
      return err(
        fault('bad_component', `The value of ${quoted(component.text)} is not plain ASCII.`),
      );
    base += `${component.text}: ${value.value}\n`;
  }
  return ok(`${base}"@signature-params": ${parametersText}`);
}

/** Two identifiers that differ in the order of their parameters only are the same. */
export function repeatedComponent(
  components: readonly ComponentIdentifier[],
): ComponentIdentifier | null {
  const seen = new Set<string>();
  for (const component of components) {
    if (seen.has(component.identity)) return component;
    seen.add(component.identity);
  }
  return null;
}
