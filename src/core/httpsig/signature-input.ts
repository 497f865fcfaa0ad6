import { err, ok, type Result } from '../kernel/index.js';
import { type CoveredList, NOTHING_COVERED, readCoveredList } from './covered-list.js';
import { headerValue } from './fields.js';
import { LIMITS } from './limits.js';
import { type HttpMessage } from './message.js';
import {
  bytesOf,
  type InnerList,
  isInnerList,
  type Member,
  type Parameters,
  readDictionary,
  type ReadDictionary,
  writeMember,
} from './structured.js';
import { type MemberMarks } from './structured-scan.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** The parameters of RFC 9421 section 2.3; null: not there, or not readable when the label has a fault. */
export interface SignatureParameters {
  readonly created: number | null;
  readonly expires: number | null;
  readonly nonce: string | null;
  readonly keyid: string | null;
  readonly alg: string | null;
  readonly tag: string | null;
}

/** One label of Signature-Input with its value in Signature. */
export interface LabelledSignature extends CoveredList {
  readonly label: string;
  /** The first fault of this label, found without a profile; the rest is then not to be relied on. */
  readonly fault: SignatureFault | null;
  /** Whom the signature is meant for cannot be read: it is no list, or its tag is no string. */
  readonly isTagUnreadable: boolean;
  readonly parameters: SignatureParameters;
  readonly parametersText: string;
  readonly signature: Buffer;
}

/**
 * The signatures of a message, in the order of Signature-Input (facts/signatures.md 1.1 steps 1 to 3, 5 and 6); none when
 * there is no Signature-Input: a Signature alone belongs to another scheme.
 * Faults of the whole message, in order: malformed_header (too long, no Dictionary, too many labels), duplicate_label,
 * label_mismatch. Faults of a label stand with it: malformed_header, bad_component, duplicate_component,
 * bad_parameter_type.
 */
export function readSignatures(
  message: HttpMessage,
): Result<readonly LabelledSignature[], SignatureFault> {
  const inputText = headerValue(message, 'signature-input');
  if (inputText === null) return ok([]);
  const inputs = labelsOf(inputText, 'Signature-Input');
  if (!inputs.ok) return inputs;
  const signatures = labelsOf(headerValue(message, 'signature') ?? '', 'Signature');
  if (!signatures.ok) return signatures;
  const mismatch = labelMismatch(inputs.value, signatures.value);
  if (mismatch !== null) return err(mismatch);
  const labelled = [...inputs.value.members].map(([label, member]) => {
    const marks = inputs.value.marks.members.get(label);
    const text = inputs.value.texts?.get(label);
    return readLabel({ label, member, marks, text, value: signatures.value.members.get(label) });
  });
  return ok(labelled);
}

function labelsOf(text: string, field: string): Result<ReadDictionary, SignatureFault> {
  if (text.length > LIMITS.fieldCharacters)
    return err(fault('malformed_header', `${field} is longer than ${LIMITS.fieldCharacters}.`));
  const read = readDictionary(text, field);
  if (!read.ok) return read;
  const { members, marks } = read.value;
  if (marks.repeatedKey !== null)
    return err(fault('duplicate_label', `${field} holds ${quoted(marks.repeatedKey)} twice.`));
  if (members.size > LIMITS.labels)
    return err(fault('malformed_header', `${field} holds more than ${LIMITS.labels} labels.`));
  const long = [...members.keys()].find((label) => label.length > LIMITS.labelCharacters);
  if (long !== undefined)
    return err(fault('malformed_header', `${field} holds a label that is too long.`));
  return read;
}

function labelMismatch(
  { members: inputs }: ReadDictionary,
  { members: signatures }: ReadDictionary,
): SignatureFault | null {
  const missing = [...inputs.keys()].find((label) => !signatures.has(label));
  if (missing !== undefined)
    return fault('label_mismatch', `Signature has no ${quoted(missing)} of Signature-Input.`);
  const extra = [...signatures.keys()].find((label) => !inputs.has(label));
  return extra === undefined
    ? null
    : fault('label_mismatch', `Signature-Input has no ${quoted(extra)} of Signature.`);
}

interface RawLabel {
  readonly label: string;
  readonly member: Member;
  readonly marks: MemberMarks | undefined;
  /** As it is written again, when that is known. */
  readonly text: string | undefined;
  readonly value: Member | undefined;
}

const NO_PARAMETERS: SignatureParameters = {
  created: null,
  expires: null,
  nonce: null,
  keyid: null,
  alg: null,
  tag: null,
};

function readLabel({ label, member, marks, text, value }: RawLabel): LabelledSignature {
  const broken = (
    found: SignatureFault,
    parameters = NO_PARAMETERS,
    isTagUnreadable = false,
  ): LabelledSignature => ({
    label,
    fault: found,
    isTagUnreadable,
    ...NOTHING_COVERED,
    parameters,
    parametersText: '',
    signature: Buffer.alloc(0),
  });
  if (!isInnerList(member)) {
    const found = fault('malformed_header', `${quoted(label)} is no list of components.`);
    return broken(found, NO_PARAMETERS, true);
  }
  const [items, given] = member;
  const { parameters, fault: parameterFault } = readParameters(given);
  if (given.has('tag') && parameters.tag === null && parameterFault !== null)
    return broken(parameterFault, parameters, true);
  const found = labelFault(member, marks) ?? parameterFault;
  if (found !== null) return broken(found, parameters);
  const signature = value === undefined ? null : bytesOf(value);
  if (signature === null || signature.length === 0)
    return broken(
      fault('malformed_header', `The signature ${quoted(label)} holds no bytes.`),
      parameters,
    );
  const covered = readCoveredList(items);
  if (!covered.ok) return broken(covered.error, parameters);
  const parametersText = text ?? writeMember(member);
  return {
    label,
    fault: null,
    isTagUnreadable: false,
    ...covered.value,
    parameters,
    parametersText,
    signature,
  };
}

function labelFault(
  [items, given]: InnerList,
  marks: MemberMarks | undefined,
): SignatureFault | null {
  if (items.length > LIMITS.components)
    return fault('malformed_header', `More than ${LIMITS.components} components are covered.`);
  if (given.size > LIMITS.parameters)
    return fault('malformed_header', `More than ${LIMITS.parameters} parameters.`);
  if (marks === undefined) return null;
  if (marks.repeatedParameter !== null)
    return fault(
      'malformed_header',
      `The parameter ${quoted(marks.repeatedParameter)} stands twice.`,
    );
  return marks.isUnfaithful
    ? fault(
        'bad_parameter_type',
        'A parameter is a decimal with zero fraction or a display string.',
      )
    : null;
}

const TEXT_LIMITS = {
  nonce: LIMITS.nonceCharacters,
  keyid: LIMITS.keyIdCharacters,
  alg: LIMITS.tagCharacters,
  tag: LIMITS.tagCharacters,
} as const;

interface ReadParameters {
  readonly parameters: SignatureParameters;
  readonly fault: SignatureFault | null;
}

function readParameters(given: Parameters): ReadParameters {
  const parameters: Record<string, unknown> = { ...NO_PARAMETERS };
  let found: SignatureFault | null = null;
  for (const name of ['created', 'expires'] as const) {
    const value = given.get(name);
    if (value === undefined) continue;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0)
      parameters[name] = value;
    else found ??= fault('bad_parameter_type', `The parameter ${name} is no integer of seconds.`);
  }
  for (const name of ['nonce', 'keyid', 'alg', 'tag'] as const) {
    const value = given.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'string')
      found ??= fault('bad_parameter_type', `The parameter ${name} is no string.`);
    else if (value.length > TEXT_LIMITS[name])
      found ??= fault('malformed_header', `The parameter ${name} is too long.`);
    else parameters[name] = value;
  }
  return { parameters: parameters as unknown as SignatureParameters, fault: found };
}
