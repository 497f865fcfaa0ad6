import { z } from 'zod';
import { invariant } from '../../../core/kernel/index.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Turns zod schemas into OpenAPI 3.0 schemas; those with an id (`.meta({ id })`) are collected as components. */
export class SchemaPrinter {
  private readonly named = new Map<string, JsonSchema>();

  /** The wire form of a schema: what a transform reads, not what it makes of it. */
  print(schema: z.ZodType): JsonSchema {
    const {
      $defs: definitions,
      definitions: older,
      ...root
    } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io: 'input',
      unrepresentable: 'any',
    }) as Record<string, unknown>;
    for (const [name, definition] of Object.entries({
      ...(older as object | undefined),
      ...(definitions as object | undefined),
    })) {
      this.define(name, inComponents(definition));
    }
    return inComponents(root);
  }

  /** Every named schema met so far, sorted by name. */
  components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.named].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  private define(name: string, definition: JsonSchema): void {
    const known = this.named.get(name);
    invariant(
      known === undefined || JSON.stringify(known) === JSON.stringify(definition),
      `the schema id ${name} names one schema`,
    );
    this.named.set(name, definition);
  }
}

const DEFINITION = /^#\/(?:\$defs|definitions)\//;

/** Points references at the components, and spells null so that OpenAPI 3.0 sees it: `nullable` needs a `type` beside it. */
function fitted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fitted);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...members } = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace(DEFINITION, '#/components/schemas/')
        : fitted(member),
    ]),
  ) as Record<string, unknown>;
  if (nullable !== true) return nullable === undefined ? members : { ...members, nullable };
  if ('type' in members) return { ...members, nullable };
  // A schema without any constraint allows null already.
  return Object.keys(members).length === 0 ? members : { anyOf: [members, NULL] };
}

const NULL: JsonSchema = { type: 'string', nullable: true, enum: [null] };

/** zod names its dialect and repeats a schema's id as members, which OpenAPI 3.0 does not know. */
function inComponents(schema: unknown): JsonSchema {
  const members = fitted(schema) as Record<string, unknown>;
  delete members['$schema'];
  delete members['id'];
  return members;
}
