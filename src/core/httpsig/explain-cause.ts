/** Why two bases differ, as far as the texts tell; the first that fits. */
export const BASE_ADVICE = {
  carriage_returns: 'Lines end with LF alone: write no carriage return.',
  newline_at_end:
    'The base ends with the last character of "@signature-params": no line break behind it.',
  parameters_missing:
    'The last line is "@signature-params": the member of Signature-Input without its label.',
  label_in_parameters:
    'The line "@signature-params" holds the member without the label and its equals sign.',
  parameters_spaced:
    'Parameters are written again without spaces: ";created=1", not "; created=1".',
  parameters_reordered: 'The parameters stand in the order in which Signature-Input has them.',
  parameters_differ:
    'The parameters that were signed are not the ones that were sent in Signature-Input.',
  name_unquoted:
    'Each line begins with the component in quotation marks and in lower case, then a colon and one space.',
  query_in_path: '"@path" holds the path alone; the query is "@query" (with its question mark).',
  query_without_mark: '"@query" begins with the question mark, also when there is no query.',
  url_rewritten:
    'Path and query are signed as they are sent, byte for byte: do not pass them through a URL parser.',
  default_port:
    '"@authority" leaves out the port that is the default of the scheme (443 of https, 80 of http) and keeps any other.',
  authority_case: '"@authority" is in lower case.',
  authority_differs:
    '"@authority" is the host the request was sent to: behind a proxy, the public name.',
  scheme_differs:
    'The scheme is the one the client used; behind a proxy that ends TLS it is https.',
  method_case: '"@method" keeps the case in which the method is sent.',
  outer_space: 'Space around a field value is removed; space inside it stays.',
  lines_joined: 'Several lines of one field are joined with a comma and one space, in their order.',
  other_content:
    'Content-Digest is not the one that was sent: it is over the very bytes of the content.',
  components_reordered:
    'The lines stand in the order in which Signature-Input lists the components.',
  component_missing:
    'A component that Signature-Input lists has no line in the base that was signed.',
  component_added:
    'The base that was signed has a line for a component that Signature-Input does not list.',
  value_differs:
    'The value arrived otherwise than it was signed: look for what changes it on its way.',
} as const;

export type BaseCause = keyof typeof BASE_ADVICE;

export const adviceFor = (cause: BaseCause): string => BASE_ADVICE[cause];

interface Bases {
  readonly ours: readonly string[];
  readonly expected: readonly string[];
  /** Index of the first line that differs. */
  readonly at: number;
}

export function likelyCause(bases: Bases): BaseCause {
  const { ours, expected, at } = bases;
  if (expected.some((line) => line.includes('\r'))) return 'carriage_returns';
  const [own = null, other = null] = [ours[at], expected[at]];
  if (own === null) return other === '' ? 'newline_at_end' : 'component_added';
  if (other === null)
    return own.startsWith(PARAMETERS) ? 'parameters_missing' : 'component_missing';
  if (/^[@A-Za-z][\w-]*: /.test(other) || /^"[^"]*[A-Z][^"]*"/.test(other)) return 'name_unquoted';
  const [left, right] = [parted(own), parted(other)];
  if (left.name !== right.name) return orderCause(bases, left.name, right.name);
  if (left.name === PARAMETERS_NAME) return parametersCause(left.value, right.value);
  return valueCause(left.name, left.value, right.value);
}

const PARAMETERS_NAME = '"@signature-params"';
const PARAMETERS = `${PARAMETERS_NAME}: `;

function parted(line: string): { readonly name: string; readonly value: string } {
  const colon = line.search(/: /);
  return colon < 0
    ? { name: line, value: '' }
    : { name: line.slice(0, colon), value: line.slice(colon + 2) };
}

function orderCause({ ours, expected }: Bases, own: string, other: string): BaseCause {
  const has = (lines: readonly string[], name: string): boolean =>
    lines.some((line) => parted(line).name === name);
  if (has(ours, other) && has(expected, own)) return 'components_reordered';
  if (!has(expected, own))
    return own === PARAMETERS_NAME ? 'parameters_missing' : 'component_missing';
  return 'component_added';
}

function parametersCause(own: string, other: string): BaseCause {
  if (/^[a-z*][a-z0-9_.*-]*=\(/.test(other)) return 'label_in_parameters';
  if (other.replaceAll(/; +/g, ';') === own) return 'parameters_spaced';
  const sorted = (text: string): string =>
    text
      .split(/;(?=[a-z*])/)
      .sort()
      .join(';');
  return sorted(own) === sorted(other) ? 'parameters_reordered' : 'parameters_differ';
}

function valueCause(name: string, own: string, other: string): BaseCause {
  if (own.trim() === other.trim()) return 'outer_space';
  switch (name.replace(/;.*$/, '')) {
    case '"@path"':
      return other.startsWith(`${own}?`) ? 'query_in_path' : urlCause(own, other);
    case '"@query"':
      return `?${other}` === own ? 'query_without_mark' : urlCause(own, other);
    case '"@query-param"':
      return urlCause(own, other);
    case '"@target-uri"':
      return schemeOf(own) === schemeOf(other) ? urlCause(own, other) : 'scheme_differs';
    case '"@scheme"':
      return 'scheme_differs';
    case '"@authority"':
      if (other.toLowerCase() === own) return 'authority_case';
      return hostOf(other) === hostOf(own) ? 'default_port' : 'authority_differs';
    case '"@method"':
      return own.toLowerCase() === other.toLowerCase() ? 'method_case' : 'value_differs';
    case '"content-digest"':
      return 'other_content';
    default:
      return withoutListSpace(own) === withoutListSpace(other) ? 'lines_joined' : 'value_differs';
  }
}

const schemeOf = (uri: string): string => uri.slice(0, uri.indexOf(':'));
const hostOf = (authority: string): string => authority.toLowerCase().replace(/:\d+$/, '');
const withoutListSpace = (value: string): string =>
  value
    .split(',')
    .map((part) => part.trim())
    .join(',');

/** Escapes decoded and dot segments resolved: what a URL parser would make equal. */
function urlCause(own: string, other: string): BaseCause {
  return resolved(own) === resolved(other) ? 'url_rewritten' : 'value_differs';
}

function resolved(text: string): string {
  const decoded = text.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const bytes = Buffer.from(decoded.replaceAll('+', ' '), 'utf8').toString('latin1');
  return URL.canParse(bytes, 'http://host') ? new URL(bytes, 'http://host').href : bytes;
}
