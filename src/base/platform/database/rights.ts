import type pg from 'pg';

/** Where the migrations make tables, and where they write down which of them ran. */
export const TABLES_SCHEMA = 'public';
export const MIGRATIONS_TABLE = 'schema_migrations';

/** What the role of the connection may do here. Names are quoted for SQL. */
export interface Rights {
  /** The schema that the tables stand in. */
  readonly tables: string;
  readonly role: string;
  readonly database: string;
  readonly mayMakeTables: boolean;
  readonly mayMakeSchemas: boolean;
  /** Of the schemas asked for, those that are not there. */
  readonly missingSchemas: readonly string[];
  /** Of the table of migrations; null = there is none yet. */
  readonly owner: string | null;
  readonly mayRead: boolean;
}

/** Looks without touching a table, so that it fails on no missing right. */
export async function rightsOf(
  client: pg.Client,
  schemasToMake: readonly string[],
  tables = TABLES_SCHEMA,
): Promise<Rights> {
  const { rows } = await client.query<Rights>(
    `SELECT $1::text AS tables, quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       (public IS NULL OR has_schema_privilege(public, 'CREATE')) AS "mayMakeTables",
       has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchemas",
       ARRAY(SELECT name FROM unnest($3::text[]) AS name
             WHERE to_regnamespace(quote_ident(name)) IS NULL) AS "missingSchemas",
       quote_ident(pg_get_userbyid(known.relowner)) AS owner,
       coalesce(has_table_privilege(known.oid, 'SELECT'), false) AS "mayRead"
     FROM (SELECT to_regnamespace($1)::oid AS public) AS place
     LEFT JOIN pg_class AS known ON known.relnamespace = public AND known.relname = $2`,
    [tables, MIGRATIONS_TABLE, schemasToMake],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database does not tell the rights of its user.');
  return row;
}

/**
 * The line for the operator when the first start cannot make what it needs, or the tables are kept from this role; all
 * missing rights at once. Null = nothing stands in the way that can be seen before.
 */
export function missingRights(rights: Rights): string | null {
  const { role, database, owner, mayRead, tables } = rights;
  if (owner !== null) return mayRead ? null : foreignTables(rights);
  const schemas = rights.mayMakeSchemas ? [] : rights.missingSchemas;
  const lacks = [
    ...(rights.mayMakeTables ? [] : [`create tables in the schema ${tables}`]),
    ...schemas.map((schema) => `make the schema ${schema}`),
  ];
  if (lacks.length === 0) return null;
  const grants = [
    ...(rights.mayMakeTables ? [] : [`GRANT CREATE ON SCHEMA ${tables} TO ${role}`]),
    ...(schemas.length === 0 ? [] : [`GRANT CREATE ON DATABASE ${database} TO ${role}`]),
  ];
  return `the user of DATABASE_URL may not ${lacks.join(' and may not ')}: ${grants.join('; ')}; or make it the owner of the database (ALTER DATABASE ... OWNER TO ${role}).`;
}

/** The line for the operator when the tables belong to somebody who is not this role. */
export const foreignTables = ({ role, owner }: Rights): string =>
  `the tables belong to ${owner ?? 'another role'}, and the user of DATABASE_URL (${role}) may not change them: connect as ${owner ?? 'their owner'}, or give them to it as a superuser (REASSIGN OWNED BY ${owner ?? '...'} TO ${role}).`;
