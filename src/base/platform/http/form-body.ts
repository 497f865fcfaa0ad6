import { err, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';
import { FIELD_CHARACTERS_MAX } from './limits.js';

/** What a page's form sends. Only routes whose contract says `form` take it. */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Our forms have a few buttons. */
export const FORM_BYTES_MAX = 4_096;

/** A body that came as a form, told apart from JSON by its class until the contract has said which one it takes. */
export class FormBody {
  constructor(readonly fields: Readonly<Record<string, string>>) {}
}

/** Problem: request_malformed (a field twice: another reader of the same bytes might take the other one). */
export function readForm(text: string): Result<FormBody, Problem> {
  const fields = new URLSearchParams(text);
  for (const name of fields.keys()) if (fields.getAll(name).length > 1) return err(twice(name));
  return ok(new FormBody(Object.fromEntries(fields)));
}

const twice = (name: string): Problem =>
  problem('request_malformed', 'The form has a field twice.', {
    field: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`.slice(0, FIELD_CHARACTERS_MAX),
    fix: 'Send each field once.',
  });
