// gunicorn with Werkzeug, the form parser of Flask.
import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { droppedFile, makeDrop } from './parsers.ts';
import { answers, freePorts, missingPrograms, StoreRun } from './processes.ts';
import type { Store, StoreKind } from './store.ts';

export const WERKZEUG: StoreKind = {
  name: 'gunicorn and Werkzeug',
  packages: ['gunicorn', 'python3-werkzeug'],
  missing: () => [...missingPrograms(['gunicorn', 'python3']), ...(hasWerkzeug() ? [] : ['werkzeug'])],
  start: startWerkzeug,
  checksDescriptors: false,
  mostBytes: null,
};

function hasWerkzeug(): boolean {
  return spawnSync('python3', ['-c', 'import werkzeug']).status === 0;
}

const APP = `
import json, os, re, tempfile
from werkzeug.wrappers import Request, Response
DROP = os.environ['DROP']
class Form(Request):
    # Werkzeug spools into a temporary file; here it lies where the received file goes.
    def _get_file_stream(self, *_, **__):
        return tempfile.NamedTemporaryFile('wb+', dir=DROP, delete=False)
@Form.application
def app(request):
    if request.method != 'POST': return Response('ready')
    slot, file = request.form.get('slot', ''), request.files.get('file')
    if file is None or not re.fullmatch('slot-[0-9]+-[0-9]+', slot): return Response('No file', 422)
    if list(request.form.keys()) != ['slot', '10', '2']: return Response('The fields are in another order.', 422)
    if request.form['2'].replace('"', '%22') != file.filename: return Response('Another name: ' + file.filename, 422)
    file.stream.close()
    os.rename(file.stream.name, os.path.join(DROP, slot))
    return Response(json.dumps({'name': file.filename}), 303, {'Location': '/thanks'})
`;

async function startWerkzeug(): Promise<Store> {
  const run = new StoreRun('werkzeug');
  try {
    const [port = 0] = await freePorts(1);
    const drop = makeDrop(run);
    writeFileSync(join(run.dir, 'receiver.py'), APP);
    const url = `http://127.0.0.1:${port}/drop`;
    let server: ChildProcess;
    const restart = async () => {
      const options = ['-b', `127.0.0.1:${port}`, '-w', '2', '-t', '300', '-e', `DROP=${drop}`];
      server = run.start('gunicorn', 'gunicorn', [...options, '--worker-tmp-dir', run.dir, 'receiver:app']);
      await run.until('the start of gunicorn', () => answers(url));
    };
    await restart();
    return {
      destination: (wish) => droppedFile(url, drop, wish),
      crash: () => run.kill(server),
      restart,
      residentBytes: () => run.residentBytes(),
      close: () => run.close(),
    };
  } catch (error) {
    await run.close();
    throw error;
  }
}
