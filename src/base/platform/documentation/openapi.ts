import type { z } from 'zod';
import { type ProblemCode, PROBLEMS } from '../../../core/kernel/index.js';
import { type CompiledRoute, problemsOf } from '../http/compiled-route.js';
import type { RouteContract } from '../http/contract.js';
import { bodyTypesOf } from '../http/read-input.js';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../http/limits.js';
import { PROBLEM_CONTENT_TYPE } from '../http/problem-json.js';
import { type JsonSchema, SchemaPrinter } from './json-schema.js';

/** An OpenAPI 3.0.3 document as plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.0.3 document of these routes: bodies, path and query parameters, security, Idempotency-Key, problem
 * answers, and per operation `x-roles`. Deterministic: the same routes give the same document.
 */
export function buildOpenApi(routes: readonly CompiledRoute[], version: string): OpenApiDocument {
  const printer = new SchemaPrinter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const { contract } of routes) {
    const path = (paths[contract.path] ??= {});
    path[contract.method.toLowerCase()] = operation(contract, printer);
  }
  const tags = [...new Set(routes.map(({ contract }) => contract.tag))].sort();
  return {
    openapi: '3.0.3',
    info: {
      title: 'Commerce arbiter',
      version,
      description:
        'Allows or refuses an agent’s purchase, at once, with a reason. docs/first-allow.md leads from nothing to a first allow.',
    },
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...printer.components(), Problem: PROBLEM_SCHEMA },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of the tenant (ak_test_... or ak_live_...); for POST /v1/tenants the key of the platform administrator.',
        },
      },
      headers: {
        RequestId: {
          description: 'The caller’s Request-Id when it was well formed, else a new one.',
          schema: { type: 'string' },
        },
        RetryAfter: {
          description: 'Seconds to wait before the same request is sent again.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
    },
    security: [{ apiKey: [] }],
  };
}

function operation(contract: RouteContract, printer: SchemaPrinter): Json {
  const parameters = [
    ...parametersIn('path', contract.params, printer),
    ...parametersIn('query', contract.query, printer),
    ...idempotencyParameter(contract),
  ];
  return {
    operationId: operationIdOf(contract),
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    tags: [contract.tag],
    'x-roles': rolesOf(contract),
    ...securityOf(contract),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(contract.body === undefined
      ? {}
      : {
          requestBody: {
            required: contract.bodyOptional !== true,
            content: contentOf(contract.body, { contract, printer }),
          },
        }),
    responses: responsesOf(contract, printer),
  };
}

const rolesOf = ({ access, keyRoles = [] }: RouteContract): readonly string[] => {
  if (access === 'public') return ['public'];
  return access === 'optional' ? ['public', ...keyRoles] : access;
};

/** OpenAPI's word for "or nothing" is an empty requirement beside the others. */
function securityOf({ access }: RouteContract): Json {
  if (access === 'public') return { security: [] };
  return access === 'optional' ? { security: [{}, { apiKey: [] }] } : {};
}

/** The same form under each media type in which the route reads it. */
function contentOf(
  body: z.ZodType,
  { contract, printer }: { contract: RouteContract; printer: SchemaPrinter },
): Json {
  const schema = printer.print(body);
  return Object.fromEntries(
    bodyTypesOf(contract).map((type) => [type, { schema, ...examplesOf(contract) }]),
  );
}

/** A form to start from in the docs page: the first is shown, the others can be chosen. */
function examplesOf({ examples }: RouteContract): Json {
  if (examples === undefined) return {};
  return {
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { value }]),
    ),
  };
}

/** `post_v1_merchants_by_merchant_id`: unique, because method and path are. */
const operationIdOf = ({ method, path }: RouteContract): string =>
  [method.toLowerCase(), ...path.split('/').slice(1).map(operationIdPart)].join('_');

const operationIdPart = (segment: string): string =>
  segment.replace(/^\{(\w+)\}$/, 'by_$1').replace(/[^A-Za-z0-9_]+/g, '_');

function parametersIn(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  printer: SchemaPrinter,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = printer.print(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...member }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: member,
  }));
}

function idempotencyParameter({ idempotency }: RouteContract): Json[] {
  if (idempotency === 'none') return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: idempotency === 'required',
      description:
        'Of the caller’s choice. The same key with the same request gives the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX },
    },
  ];
}

const REQUEST_ID_HEADER = { 'Request-Id': { $ref: '#/components/headers/RequestId' } };

function responsesOf(contract: RouteContract, printer: SchemaPrinter): Json {
  const { status, body, mediaType = 'application/json' } = contract.success;
  const responses: Record<string, Json> = {
    [status]: {
      description: contract.summary,
      headers: REQUEST_ID_HEADER,
      ...(body === null ? {} : { content: { [mediaType]: { schema: printer.print(body) } } }),
    },
  };
  const codesByStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(contract)) {
    const codes = codesByStatus.get(PROBLEMS[code].status) ?? [];
    codesByStatus.set(PROBLEMS[code].status, [...codes, code]);
  }
  for (const [problemStatus, codes] of codesByStatus) {
    responses[problemStatus] = problemResponse([...codes].sort());
  }
  return responses;
}

function problemResponse(codes: readonly ProblemCode[]): Json {
  const pauses = codes.some((code) => PROBLEMS[code].retry === 'after_pause');
  return {
    description: codes.map((code) => `${code}: ${PROBLEMS[code].title}`).join('. '),
    headers: {
      ...REQUEST_ID_HEADER,
      ...(pauses ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const FIELD_DESCRIPTION =
  'A JSON pointer into the body, ?name for a query parameter, {name} for a path parameter, :name for a header.';

const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description:
    'RFC 9457 problem details. The six members of a refusal stand beside these where there is one.',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: { type: 'string' },
    field: { type: 'string', nullable: true, description: FIELD_DESCRIPTION },
    fix: { type: 'string' },
    request_id: { type: 'string' },
    retryable: { type: 'boolean' },
    failing_rule: {
      type: 'string',
      description: 'Of a refusal only, as the five members after it.',
    },
    reason: { type: 'string' },
    decision_id: { type: 'string' },
    action: { type: 'string' },
    required_config: { type: 'string' },
    reason_page: { type: 'string', format: 'uri-reference' },
    not_before: { type: 'string', format: 'date-time', nullable: true },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string', description: FIELD_DESCRIPTION },
          detail: { type: 'string' },
        },
        required: ['field', 'detail'],
      },
    },
  },
  required: [
    'type',
    'title',
    'status',
    'code',
    'detail',
    'field',
    'fix',
    'request_id',
    'retryable',
  ],
};
