import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** Members of JSON Schema that OpenAPI 3.0 does not have. */
const NOT_IN_3_0 = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'const',
  'examples',
  'if',
  'then',
  'else',
  'prefixItems',
  'contains',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'dependentSchemas',
  'dependentRequired',
  'webhooks',
  'contentEncoding',
  'contentMediaType',
  'id',
]);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** Everything that makes a document not a sound OpenAPI 3.0 document; empty when it is one. */
export function faultsOfOpenApi(document: OpenApi): string[] {
  const faults: string[] = [];
  if (!/^3\.0\.\d$/.test(document.openapi)) faults.push(`version ${document.openapi}`);
  const operationIds = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method} ${path}`;
      if (!METHODS.includes(method)) faults.push(`${name}: no such method`);
      if (operationIds.has(operation.operationId)) faults.push(`${name}: operationId used twice`);
      operationIds.add(operation.operationId);
      faults.push(...faultsOfOperation(name, path, operation));
    }
  }
  faults.push(...faultsOfRefs(document, document));
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    faults.push(...faultsOfSchema(`schema ${name}`, schema, document));
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const schema of schemasOf(operation)) {
        faults.push(...faultsOfSchema(`${method} ${path}`, schema, document));
      }
    }
  }
  return faults;
}

function faultsOfOperation(name: string, path: string, operation: Operation): string[] {
  const faults: string[] = [];
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => String(parameter));
  if (
    inPath
      .map((parameter) => parameter.name)
      .sort()
      .join() !== wanted.sort().join()
  ) {
    faults.push(`${name}: path parameters differ from the path`);
  }
  if (inPath.some((parameter) => !parameter.required))
    faults.push(`${name}: optional path parameter`);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!/^[1-5]\d\d$/.test(status)) faults.push(`${name}: status ${status}`);
    if (typeof response.description !== 'string') faults.push(`${name}: ${status} undescribed`);
  }
  return faults;
}

const schemasOf = (operation: Operation): object[] => [
  ...(operation.parameters ?? []).map(({ schema }) => schema),
  ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
  ...Object.values(operation.responses).flatMap(({ content }) =>
    Object.values(content ?? {}).map(({ schema }) => schema),
  ),
];

function faultsOfRefs(value: unknown, document: OpenApi): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name !== '$ref') return faultsOfRefs(member, document);
    return resolve(document, String(member)) === undefined
      ? [`${String(member)} leads nowhere`]
      : [];
  });
}

const resolve = (document: unknown, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);

function faultsOfSchema(where: string, schema: unknown, document: OpenApi): string[] {
  const faults: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    for (const [name, member] of Object.entries(node)) {
      if (NOT_IN_3_0.has(name)) faults.push(`${where}: ${name} is not in OpenAPI 3.0`);
      if (name === 'type' && typeof member !== 'string') faults.push(`${where}: type is a list`);
      if (/^exclusiveM/.test(name) && typeof member !== 'boolean') faults.push(`${where}: ${name}`);
      if (name === 'enum' || name === 'default' || name === 'example') continue;
      // The members of `properties` are names of ours, not keywords.
      if (name === 'properties') Object.values(member as object).forEach(visit);
      else visit(member);
    }
  };
  visit(schema);
  if (faults.length > 0) return faults;
  try {
    compile(schema as object, document);
  } catch (error) {
    faults.push(`${where}: ${(error as Error).message}`);
  }
  return faults;
}

const validators = new WeakMap<OpenApi, Ajv>();

/** A validator of a schema of the document. OpenAPI 3.0's boolean exclusive bounds are turned into draft 7's numbers. */
export function compile(schema: object, document: OpenApi): (value: unknown) => boolean {
  return validatorOf(document).compile(toDraft7(schema) as object);
}

function validatorOf(document: OpenApi): Ajv {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: toDraft7(document.components) });
  validators.set(document, ajv);
  return ajv;
}

const DOCUMENT = 'document';

function toDraft7(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toDraft7);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, member]) => [
      name,
      name === '$ref' ? `${DOCUMENT}${String(member)}` : toDraft7(member),
    ]),
  );
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (copy[exclusive] !== true) continue;
    copy[exclusive] = copy[bound];
    delete copy[bound];
  }
  return copy;
}
