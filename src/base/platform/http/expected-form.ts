import { z } from 'zod';
import { FORM_CONTENT_TYPE } from './form-body.js';

type Issue = z.core.$ZodIssue;

/** What the caller should send in place of what an issue names; from the schema alone, nothing of the caller's. */
interface ExpectedForm {
  readonly schema: z.core.$ZodType;
  readonly issue: Issue;
  /** Of the member, '' for the whole part. */
  readonly field: string;
}

const CHOICES_MAX = 12;
const WHOLE_FORM = '/openapi.json describes the form of this route.';

/** How types are spelled in JSON, by the names that issues give them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number, without quotes',
  int: 'a whole number, without quotes',
  boolean: 'true or false, without quotes',
  object: 'an object in braces',
  record: 'an object in braces',
  array: 'a list in brackets',
};

/** The fix of one wrong member: names the form that its schema asks for where it can be told in a line. */
export function fixOf({ schema, issue, field }: ExpectedForm): string {
  if (issue.code === 'unrecognized_keys') return `Leave ${field} out. ${WHOLE_FORM}`;
  // A parameter of the path or the query has no quotes; what it looks like is said by the issue.
  if (/^[{?]/.test(field) && issue.code === 'invalid_format')
    return `Give ${field} in this form: ${issue.message.replace(/\.$/, '')}. ${WHOLE_FORM}`;
  const form = field === '' ? null : expected(schema, issue);
  return form === null
    ? 'Change the named fields to the form that /openapi.json describes for this route.'
    : `Give ${field} as ${form}. ${WHOLE_FORM}`;
}

function expected(schema: z.core.$ZodType, issue: Issue): string | null {
  if (issue.code === 'invalid_value') {
    if (issue.values.length > CHOICES_MAX) return null;
    return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_format') return null;
  const { example, description } = describedAt(schema, issue.path);
  const spelled = issue.code === 'invalid_type' ? SPELLINGS[issue.expected] : 'text in quotes';
  if (spelled === undefined) return null;
  const shown = example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
  return `${spelled}${shown}${description === undefined ? '' : ` (${description.replace(/\.$/, '')})`}`;
}

/** Description and example of what stands at `path`, in the first of several shapes that has some; empty where nothing says. */
function describedAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.GlobalMeta {
  const meta = z.globalRegistry.get(schema);
  if (path.length === 0 && meta !== undefined) return meta;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [name, ...rest] = path;
  if ('innerType' in def) return describedAt(def.innerType, path);
  if (def.type === 'pipe') return describedAt(def.in, path);
  if (def.type === 'union') {
    const found = def.options.map((option) => describedAt(option, path));
    return found.find((meta) => Object.keys(meta).length > 0) ?? {};
  }
  if (name === undefined) return {};
  if (def.type === 'array') return describedAt(def.element, rest);
  const member = def.type === 'object' ? def.shape[String(name)] : undefined;
  return member === undefined ? {} : describedAt(member, rest);
}

/** Detail and fix of a body that is not there. */
export function bodyMissing(
  schema: z.ZodType,
  isForm: boolean,
): { readonly detail: string; readonly fix: string } {
  if (!isForm)
    return { detail: 'A JSON body is expected, none was sent.', fix: `Send one. ${WHOLE_FORM}` };
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape).map(fieldText) : [];
  return {
    detail: `A form is expected: field ${fields.join(', ')}; none was sent.`,
    fix: `Send ${fields.join('&')} as ${FORM_CONTENT_TYPE}.`,
  };
}

/** `name=one|other`. */
const fieldText = ([name, schema]: [string, unknown]): string =>
  schema instanceof z.ZodEnum ? `${name}=${schema.options.join('|')}` : name;
