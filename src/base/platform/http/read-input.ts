import type { z } from 'zod';
import { err, ok, problem, type Result } from '../../../core/kernel/index.js';
import type { RouteContract } from './contract.js';
import { bodyMissing, fixOf } from './expected-form.js';
import { FORM_CONTENT_TYPE, FormBody } from './form-body.js';
import { JSON_CONTENT_TYPE, NamedJson } from './json-media-type.js';
import { FIELD_CHARACTERS_MAX, FIELD_ERRORS_MAX } from './limits.js';
import { type FieldError, ProblemException } from './problem-json.js';
import { CSV_CONTENT_TYPE, LINES_CONTENT_TYPE, TextBody } from './text-body.js';

/** The three places of a request that a contract describes, as Fastify parsed them. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type Part = keyof RawInput;
type Issue = z.core.$ZodIssue;

/** Answers the parsed input or `validation_failed`, ready to be thrown at the edge. */
export type ReadInput = (raw: RawInput) => Result<RawInput, ProblemException>;

const DETAIL_CHARACTERS_MAX = 300;

/**
 * Builds the reader of one route once. Parts are read in the order path, query, body; the first wrong part answers,
 * with all of its wrong fields (at most {@link FIELD_ERRORS_MAX}). A part without a schema has to be empty.
 * Values of the caller are never repeated in the answer, only names of members.
 */
export function inputReader(contract: RouteContract): ReadInput {
  const readers: readonly (readonly [Part, z.ZodType | undefined])[] = [
    ['params', contract.params],
    ['query', contract.query],
    ['body', contract.body],
  ];
  return (sent) => {
    const mediaTypes = bodyTypesOf(contract);
    if (sent.body !== undefined && !mediaTypes.includes(sentTypeOf(sent.body)))
      return err(otherType(mediaTypes));
    const raw = { ...sent, body: contentOf(sent.body) };
    const input: Record<Part, unknown> = { params: undefined, query: undefined, body: undefined };
    for (const [part, schema] of readers) {
      if (schema === undefined) {
        const unexpected = unexpectedMember(raw[part]);
        if (unexpected !== null) return err(wrongFields([unexpectedError(part, unexpected)], LESS));
        continue;
      }
      if (part === 'body' && raw.body === undefined && contract.bodyOptional !== true) {
        const { detail, fix } = bodyMissing(schema, contract.form ?? false);
        return err(wrongFields([{ field: '', detail }], fix));
      }
      const parsed = schema.safeParse(raw[part]);
      if (!parsed.success) return err(wrongPart(part, schema, parsed.error.issues));
      input[part] = parsed.data;
    }
    return ok(input);
  };
}

/** The media types in which a route reads its body. */
export function bodyTypesOf({
  form,
  csv,
  lines,
  json = [JSON_CONTENT_TYPE],
}: Pick<RouteContract, 'form' | 'csv' | 'lines' | 'json'>): readonly string[] {
  if (form === true) return [FORM_CONTENT_TYPE];
  if (lines === true) return [LINES_CONTENT_TYPE];
  return csv === true ? [CSV_CONTENT_TYPE] : json;
}

function sentTypeOf(body: unknown): string {
  if (body instanceof FormBody) return FORM_CONTENT_TYPE;
  if (body instanceof NamedJson) return body.contentType;
  return body instanceof TextBody ? body.contentType : JSON_CONTENT_TYPE;
}

function contentOf(body: unknown): unknown {
  if (body instanceof FormBody) return body.fields;
  if (body instanceof NamedJson) return body.value;
  return body instanceof TextBody ? body.text : body;
}

const otherType = (mediaTypes: readonly string[]): ProblemException =>
  new ProblemException(
    problem('unsupported_media_type', 'The body is of a type this route does not read.', {
      fix: `Send it as ${mediaTypes.join(' or ')}.`,
      field: ':content-type',
    }),
  );

const LESS = 'Leave out what this route does not read; /openapi.json describes its form.';

/** A first member of a part that should be empty, '' when it is not even an object, or null. */
function unexpectedMember(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return '';
  for (const name in value) return name;
  return null;
}

const unexpectedError = (part: Part, name: string): FieldError => ({
  field: name === '' ? '' : pointer(part, [name]),
  detail: name === '' ? 'This route takes no body.' : 'This member is unknown here.',
});

function wrongFields(errors: readonly FieldError[], fix: string): ProblemException {
  const [first] = errors;
  const field = first?.field ?? null;
  const detail = first?.detail ?? 'The request does not have the form of this route.';
  return new ProblemException(problem('validation_failed', detail, { field, fix }), { errors });
}

/** The fix is that of the first wrong field, which the problem names. */
function wrongPart(part: Part, schema: z.ZodType, issues: readonly Issue[]): ProblemException {
  const found = foundIn(part, issues);
  const [first] = found;
  const fix = first === undefined ? LESS : fixOf({ schema, ...first });
  return wrongFields(
    found.map(({ field, detail }) => ({ field, detail })),
    fix,
  );
}

/** A wrong field and the innermost issue that says so. */
interface Found extends FieldError {
  readonly issue: Issue;
}

function foundIn(part: Part, issues: readonly Issue[]): Found[] {
  const found: Found[] = [];
  for (const issue of issues) {
    for (const one of foundInIssue(part, issue)) {
      if (found.length === FIELD_ERRORS_MAX) return found;
      found.push(one);
    }
  }
  return found;
}

function foundInIssue(part: Part, issue: Issue): Found[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({
      field: pointer(part, [...issue.path, name]),
      detail: 'This member is unknown here.',
      issue,
    }));
  }
  if (issue.code === 'invalid_union') {
    // The branch that got deepest is the one the caller meant.
    const [closest] = [...issue.errors].sort((left, right) => depthOf(right) - depthOf(left));
    if (closest !== undefined && depthOf(closest) > 0) {
      return closest.flatMap((inner) =>
        foundInIssue(part, { ...inner, path: [...issue.path, ...inner.path] }),
      );
    }
  }
  return [
    {
      field: pointer(part, issue.path),
      detail: bounded(issue.message, DETAIL_CHARACTERS_MAX),
      issue,
    },
  ];
}

const depthOf = (issues: readonly Issue[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));

/** RFC 6901 pointer into the body, `?name` for the query, `{name}` for the path. */
function pointer(part: Part, path: readonly PropertyKey[]): string {
  const names = path.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'));
  if (part === 'body')
    return bounded(names.map((name) => `/${name}`).join(''), FIELD_CHARACTERS_MAX);
  const name = bounded(names.join('/'), FIELD_CHARACTERS_MAX);
  return part === 'query' ? `?${name}` : `{${name}}`;
}

const bounded = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}...`;
