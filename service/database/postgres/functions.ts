/** The letters whose case `COLLATE NOCASE` ignores: those of ASCII, as SQLite does. */
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Functions that SQLite has and the statements use. They name what they use by its schema, so that a dump of the database can be read
 * back: indexes use them.
 */
export const FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION nocase(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     AS $$ SELECT pg_catalog.translate(value, '${UPPER}', '${UPPER.toLowerCase()}') $$`,
  `CREATE FUNCTION instr(value text, part text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     AS $$ SELECT pg_catalog.strpos(value, part) $$`,
  // A list: \`value\` of its numbers, \`atom\` of all members as text.
  `CREATE FUNCTION json_each(list text) RETURNS TABLE (key bigint, value bigint, atom text)
     LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 100
     AS $$ SELECT place - 1, CASE WHEN text ~ '^-?[0-9]{1,18}$' THEN text::bigint END, text
       FROM pg_catalog.json_array_elements_text(list::json) WITH ORDINALITY AS members (text, place) $$`,
  `CREATE FUNCTION substr(bytes bytea, start bigint, length integer) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     AS $$ SELECT pg_catalog.substr(bytes, start::integer, length) $$`,
  `CREATE AGGREGATE group_concat(text, text)
     (SFUNC = pg_catalog.string_agg_transfn, STYPE = internal, FINALFUNC = pg_catalog.string_agg_finalfn)`,
  `CREATE FUNCTION json_text(list bigint[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS $$ SELECT pg_catalog.array_to_json(list)::text $$`,
  `CREATE AGGREGATE json_group_array(bigint) (SFUNC = pg_catalog.array_append, STYPE = bigint[], FINALFUNC = json_text)`,
];
