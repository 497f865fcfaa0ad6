import { err, mapOk, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier, isDerived } from './component.js';
import { derivedValue } from './derive.js';
import { FIELD_TYPES, type StructuredType } from './field-types.js';
import { fieldLines } from './fields.js';
import { LIMITS } from './limits.js';
import { type HttpMessage } from './message.js';
import { type QueryParameters, readQuery } from './query-param.js';
import {
  readDictionary,
  type ReadDictionary,
  readKnownDictionary,
  readItem,
  readList,
  writeDictionary,
  writeList,
  writeMember,
} from './structured.js';
import { scanMembers } from './structured-scan.js';
import { splitTarget } from './target.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

type Value = Result<string, SignatureFault>;

const bad = (text: string, why: string): Value =>
  err(fault('bad_component', `The component ${quoted(text)} ${why}.`));

/** Which fields are structured, and how; a caller may know more fields than {@link FIELD_TYPES}. */
export type FieldTypes = ReadonlyMap<string, StructuredType>;

/**
 * The values of the components of one message, as they stand on the lines of a base (RFC 9421 sections 2.1 and 2.2). What
 * is parsed is parsed once, however many components ask for it: a long field and many members would cost much time.
 */
export class ComponentReader {
  private readonly dictionaries = new Map<string, Result<ReadDictionary, SignatureFault>>();
  private parameters: QueryParameters | null = null;
  private request: ComponentReader | null = null;

  constructor(
    private readonly message: HttpMessage,
    private readonly fieldTypes: FieldTypes = FIELD_TYPES,
  ) {}

  /** Faults: bad_component, component_not_in_message. */
  value(component: ComponentIdentifier): Value {
    const { parameters, text } = component;
    if (!parameters.has('req')) return this.own(component);
    if (this.message.kind === 'request') return bad(text, 'has req, which is of responses');
    if (this.message.request === null)
      return err(fault('component_not_in_message', 'The request of this response is not known.'));
    this.request ??= new ComponentReader(this.message.request, this.fieldTypes);
    return this.request.own(component);
  }

  private own(component: ComponentIdentifier): Value {
    const { name } = component;
    return isDerived(name)
      ? derivedValue(this.message, { ...component, name }, () => this.query())
      : this.field(component);
  }

  private query(): QueryParameters {
    const target = this.message.kind === 'request' ? this.message.target : '';
    return (this.parameters ??= readQuery(splitTarget(target).query ?? ''));
  }

  private field({ name, parameters, text }: ComponentIdentifier): Value {
    const isTrailer = parameters.has('tr');
    const { headers, trailers = [] } = this.message;
    const lines = fieldLines(isTrailer ? trailers : headers, name);
    if (!lines.ok) return lines;
    const combined = lines.value.join(', ');
    if (combined.length > LIMITS.coveredFieldCharacters) return bad(text, 'is of a field too long');
    if (parameters.has('bs')) {
      const wrapped = lines.value.map(
        (line) => `:${Buffer.from(line, 'latin1').toString('base64')}:`,
      );
      return ok(wrapped.join(', '));
    }
    if (!isAscii(combined)) return bad(text, 'holds bytes outside of ASCII and needs bs');
    const key = parameters.get('key');
    const type = this.fieldTypes.get(name);
    if (typeof key === 'string') {
      return (type ?? 'dictionary') === 'dictionary'
        ? memberOf(this.dictionary(combined), { key, text })
        : bad(text, 'is of no dictionary');
    }
    if (!parameters.has('sf')) return ok(combined);
    return type === undefined
      ? bad(text, 'has sf, and the type of this field is not known')
      : reserialised(combined, { type, text });
  }

  private dictionary(value: string): Result<ReadDictionary, SignatureFault> {
    const known = this.dictionaries.get(value);
    if (known !== undefined) return known;
    const read = readKnownDictionary(value, 'The field');
    this.dictionaries.set(value, read);
    return read;
  }
}

/** One component alone. */
export const componentValue = (
  message: HttpMessage,
  component: ComponentIdentifier,
  fieldTypes: FieldTypes = FIELD_TYPES,
): Value => new ComponentReader(message, fieldTypes).value(component);

const NOT_ASCII = /[^\t\x20-\x7e]/;
const isAscii = (text: string): boolean => !NOT_ASCII.test(text);

/** One member with its parameters, without its key. */
function memberOf(
  read: Result<ReadDictionary, SignatureFault>,
  { key, text }: { readonly key: string; readonly text: string },
): Value {
  if (!read.ok) return bad(text, 'is of a field that does not read as a dictionary');
  const member = read.value.members.get(key);
  if (member === undefined)
    return err(fault('component_not_in_message', `The message has nothing for ${quoted(text)}.`));
  if (read.value.marks.members.get(key)?.isUnfaithful === true) return unfaithful(text);
  return ok(read.value.texts?.get(key) ?? writeMember(member));
}

/** A value that would not be written back as the RFC says gives no base at all. */
const unfaithful = (text: string): Value =>
  bad(text, 'holds a decimal with zero fraction or a display string, which are not taken here');

function reserialised(
  value: string,
  { type, text }: { readonly type: StructuredType; readonly text: string },
): Value {
  const unreadable = (): Value => bad(text, `is of a field that does not read as a ${type}`);
  if (type === 'dictionary') {
    const read = readDictionary(value, text);
    if (!read.ok) return unreadable();
    const marks = [...read.value.marks.members.values()];
    if (marks.some(({ isUnfaithful }) => isUnfaithful)) return unfaithful(text);
    return ok(writeDictionary(read.value.members));
  }
  const written =
    type === 'list'
      ? mapOk(readList(value, text), writeList)
      : mapOk(readItem(value, text), writeMember);
  if (!written.ok) return unreadable();
  return scanMembers(value).isUnfaithful ? unfaithful(text) : written;
}
