import { resolve } from 'node:path';
import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import type { ListedFile } from '../../../shared/contract/upload-files.ts';
import { ITEM_FIELDS, recordOf } from '../../../shared/item/fields.ts';
import { localFileFacts, MOST_MEDIA_FACTS } from '../../../shared/model/recipes/local-file-facts.ts';
import {
  applyRecipe,
  type CompiledRecipe,
  needsContents,
  type RecipeResult,
  usesRecordingDate,
} from '../../../shared/model/recipes/recipe.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';

/** The result for one file. */
interface Described {
  path: string;
  /** null: the name does not match the pattern. */
  fields: RecipeResult['fields'] | null;
  missing: RecipeResult['missing'];
  recorded: MediaFacts['recorded'];
  /** Why the contents of the file are unknown. */
  problem: MediaFacts['problem'];
}

/**
 * Prints the fields that a recipe gives to local files and to the files in local folders, as the window previews them when files
 * are added. Changes nothing. Ends with exit code 1 when a field of a file has no value, a file is skipped because of a problem,
 * or there are no files.
 */
export async function describeFiles(
  { engine, output, interruption }: EngineContext,
  paths: readonly string[],
  recipe: CompiledRecipe,
): Promise<ExitCode> {
  const { list } = await engine.call('uploads.preview', {
    paths: paths.map((path) => resolve(path)),
    siteId: null,
    collectionId: null,
    sidecars: true,
    lists: true,
  });
  const isAllRead = reportSkipped(output, list?.files ?? []);
  const files = (list?.files ?? []).filter(({ problem }) => problem === null);
  let number = 0;
  let incomplete = 0;
  for (let from = 0; from < files.length; from += MOST_MEDIA_FACTS) {
    const code = interruption.exitCode();
    if (code !== null) return code;
    const part = files.slice(from, from + MOST_MEDIA_FACTS);
    const contents = needsContents(recipe)
      ? await engine.call('mediaFacts.read', { paths: part.map(({ path }) => path) })
      : [];
    for (const [index, file] of part.entries()) {
      number += 1;
      const described = describeFile(file, number, contents[index], recipe);
      if (described.fields === null || Object.keys(described.missing).length > 0) incomplete += 1;
      output.record({ described });
      for (const line of linesOf(described)) output.line(line);
    }
  }
  output.line(`${files.length - incomplete} of ${files.length} files get all values.`);
  return incomplete === 0 && isAllRead ? EXIT.complete : EXIT.incomplete;
}

/**
 * Prints the files that can't be read, with the reason. Returns whether there are files, and none was skipped because of a
 * problem.
 */
function reportSkipped(output: Output, listed: readonly ListedFile[]): boolean {
  let skipped = 0;
  let troubled = 0;
  for (const { path, problem } of listed) {
    if (problem === null) continue;
    skipped += 1;
    // Hidden and temporary files are skipped on purpose.
    if (problem.code !== 'file.hidden') troubled += 1;
    output.record({ skipped: { path, error: problem } });
    output.warning(`Skipped: ${path}: ${problem.message}`);
  }
  const hasFiles = skipped < listed.length;
  if (!hasFiles) output.note('There are no files to describe. Check the paths.');
  return hasFiles && troubled === 0;
}

function describeFile(
  file: ListedFile,
  number: number,
  contents: MediaFacts | undefined,
  recipe: CompiledRecipe,
): Described {
  const current = { ...recordOf(ITEM_FIELDS, () => ''), title: splitFileName(file.fileName).stem };
  const { read, fields, missing } = applyRecipe(recipe, localFileFacts(file, number, contents, current));
  return {
    path: file.path,
    ...(read === null ? { fields: null, missing: {} } : { fields, missing }),
    recorded: usesRecordingDate(recipe) ? (contents?.recorded ?? null) : null,
    problem: contents?.problem ?? null,
  };
}

function linesOf({ path, fields, missing, recorded, problem }: Described): string[] {
  if (fields === null) return [path, '  The name doesn’t match the pattern.'];
  const values = Object.entries(fields).map(([field, value]) => `  ${field}: ${value}`);
  const gaps = Object.entries(missing).map(
    ([field, tokens]) => `  ${field}: no value for ${(tokens ?? []).map((token) => `{${token}}`).join(', ')}`,
  );
  const source = recorded === null ? [] : [`  recorded: ${recorded.at}${recorded.zone ?? ''} (${recorded.source})`];
  return [path, ...values, ...gaps, ...source, ...(problem === null ? [] : [`  contents: ${problem}`])];
}
