import { err, ok, type Result } from '../kernel/index.js';
import { type ComponentIdentifier, type DerivedComponent } from './component.js';
import { type HttpMessage, type HttpRequestMessage } from './message.js';
import { queryParameter, type QueryParameters } from './query-param.js';
import { normalisedAuthority, splitTarget } from './target.js';
import { fault, type SignatureFault } from './vocabulary.js';

const absent = (detail: string): Result<never, SignatureFault> =>
  err(fault('component_not_in_message', detail));

/** The value of a derived component (RFC 9421 section 2.2). `query` reads the parameters of the query. */
export function derivedValue(
  message: HttpMessage,
  component: ComponentIdentifier & { readonly name: DerivedComponent },
  query: () => QueryParameters,
): Result<string, SignatureFault> {
  const { name } = component;
  if (name === '@status') {
    return message.kind === 'response'
      ? ok(String(message.status).padStart(3, '0'))
      : err(fault('bad_component', 'A request has no @status.'));
  }
  if (message.kind === 'response')
    return err(fault('bad_component', `A response has no ${name} of its own: it takes ;req.`));
  if (name === '@query-param')
    return queryParameter(query(), String(component.parameters.get('name')));
  return ofRequest(message, name);
}

function ofRequest(
  request: HttpRequestMessage,
  name: Exclude<DerivedComponent, '@status' | '@query-param'>,
): Result<string, SignatureFault> {
  const { method, target } = request;
  const scheme = request.scheme.toLowerCase();
  const { path, query } = splitTarget(target);
  switch (name) {
    case '@method':
      return ok(method);
    case '@scheme':
      return ok(scheme);
    case '@path':
      return ok(path === '' ? '/' : path);
    case '@query':
      return ok(`?${query ?? ''}`);
    case '@request-target':
      return ok(target);
    case '@authority':
    case '@target-uri': {
      const authority = normalisedAuthority(request.authority, scheme);
      if (authority === null) return absent('The request names no host, or not exactly one.');
      return ok(name === '@authority' ? authority : `${scheme}://${authority}${target}`);
    }
  }
}
