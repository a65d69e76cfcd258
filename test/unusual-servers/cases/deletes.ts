import type { Behavior } from '../server/behavior.ts';
import { html, json, type Reply, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { insteadOfFirst, on } from './parts.ts';

/** The first form is answered with 410, so its placeholder has to be removed; `answer` is the answer to that removal. */
const answered = (answer: Reply, takesEffect: boolean): Behavior => {
  const gone = insteadOfFirst('destination', () => reply(410));
  if (takesEffect) return { ...gone, ...on('delete-file', () => answer) };
  return {
    // The library may still detect the bytes of the first form: the file is sent again when its placeholder is abandoned.
    library: { abandonedMs: 120_000 },
    instead: (request, world) => (request.route === 'delete-file' ? answer : gone.instead?.(request, world)),
  };
};
const AGAIN = { retries: 1, forms: 2, requests: 80 };
const KEPT = { ...AGAIN, leftovers: 1 };

export const DELETES = casesOf('deletes', (it) => {
  it('204', 'answers 204', answered(reply(204), true), { expect: AGAIN });
  it('200', 'answers 200 with JSON', answered(json(200, { deleted: true }), true), { expect: AGAIN });
  it('202', 'answers 202', answered(reply(202), true), { expect: AGAIN });
  it('404-gone', 'removes the file, but answers 404', answered(html(404, 'Not Found'), true), { expect: AGAIN });
  it('410-gone', 'removes the file, but answers 410', answered(reply(410), true), { expect: AGAIN });
  it('303', 'redirects to the list', answered(reply(303, '', { Location: '/api2/media' }), true), { expect: AGAIN });
  it('403', 'forbids the removal of files', answered(json(403, { message: 'Not allowed.' }), false), { expect: KEPT });
  it('404-hidden', 'removes no files and answers 404', answered(html(404, 'Not Found'), false), {
    expect: KEPT,
  });
  it('405', 'removes no files and answers 405', answered(reply(405, '', { Allow: 'GET' }), false), { expect: KEPT });
  it('409', 'removes no files and answers 409', answered(json(409, { message: 'In use.' }), false), {
    expect: KEPT,
  });
  it('501', 'removes no files and answers 501', answered(html(501, 'Not Implemented'), false), { expect: KEPT });
  it(
    '500-once',
    'answers 500 once to the removal of a file',
    {
      instead: (request, world) => {
        if (request.route === 'delete-file' && world.times(`delete ${request.ids[1]}`) === 1) return html(500, 'Oops');
        return insteadOfFirst('destination', () => reply(410)).instead?.(request, world);
      },
    },
    { expect: { ...AGAIN, retries: 2 } },
  );
});
