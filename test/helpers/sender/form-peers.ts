// Form-data receivers by other authors, each in a separate process: they report what they parsed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface ReceivedPart {
  name: string;
  /** null for a field. */
  fileName: string | null;
  contentType: string | null;
  sizeBytes: number;
  sha256: string;
}

export interface FormPeer {
  url: URL;
  /** The next form as the receiver parsed it. */
  nextForm(): Promise<ReceivedPart[]>;
  close(): Promise<void>;
}

export interface FormPeerKind {
  name: string;
  /** Its version; null when it is not installed here. */
  version(): string | null;
  start(): Promise<FormPeer>;
  /** Whether it reports the order of fields and files. */
  tellsOrder: boolean;
  /** Whether it can receive a form that is larger than memory. */
  streams: boolean;
  /** Whether it keeps a path in a file name. */
  keepsPath: boolean;
}

const PYTHON = `
import hashlib, http.server, json, os, sys
KIND = sys.argv[1]

class Sink:
    """Counts and hashes instead of keeping."""
    def __init__(self, data=b''):
        self.hash = hashlib.sha256(); self.size = 0; self.write(data)
    def write(self, data):
        self.hash.update(data); self.size += len(data)
    def seek(self, *_): pass
    def close(self): pass

def reported(name, file_name, content_type, sink):
    return {'name': name, 'fileName': file_name, 'contentType': content_type if file_name is not None else None,
            'sizeBytes': sink.size, 'sha256': sink.hash.hexdigest()}

def by_cgi(handler):
    import cgi
    class Storage(cgi.FieldStorage):
        def make_file(self): return Sink()
    environ = {'REQUEST_METHOD': 'POST', 'CONTENT_TYPE': handler.headers['Content-Type'],
               'CONTENT_LENGTH': handler.headers['Content-Length']}
    form = Storage(fp=handler.rfile, headers=handler.headers, environ=environ, keep_blank_values=True)
    def sink(part):
        return part.file if isinstance(part.file, Sink) else Sink(part.file.getvalue() if isinstance(part.file.getvalue(), bytes) else part.file.getvalue().encode())
    return [reported(p.name, p.filename, p.type, sink(p)) for p in form.list]

def by_email(handler):
    from email.parser import BytesParser
    from email.policy import HTTP
    body = handler.rfile.read(int(handler.headers['Content-Length']))
    head = ('Content-Type: ' + handler.headers['Content-Type'] + '\\r\\n\\r\\n').encode()
    from email.policy import compat32
    message = BytesParser(policy=compat32).parsebytes(head + body)
    def text(value):
        return value if value is None else value.encode('ascii', 'surrogateescape').decode('utf-8')
    def params(part):
        raw = dict((k, v) for k, v in part._headers)['Content-Disposition']
        part.replace_header('Content-Disposition', raw.encode('ascii', 'surrogateescape').decode('latin-1'))
        get = lambda key: part.get_param(key, None, 'content-disposition')
        fix = lambda value: value if value is None else value.encode('latin-1').decode('utf-8')
        return fix(get('name')), fix(get('filename'))
    parts = []
    for part in message.get_payload():
        name, file_name = params(part)
        parts.append(reported(name, file_name, part.get_content_type(), Sink(part.get_payload(decode=True))))
    return parts

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_POST(self):
        parts = by_cgi(self) if KIND == 'cgi' else by_email(self)
        print(json.dumps({'parts': parts}), flush=True)
        self.send_response(303)
        self.send_header('Location', '/thanks')
        self.send_header('Content-Length', '0')
        self.end_headers()
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(json.dumps({'port': server.server_address[1]}), flush=True)
server.serve_forever()
`;

const PHP = `<?php
$parts = [];
foreach ($_POST as $name => $value) {
  $parts[] = ['name' => $name, 'fileName' => null, 'contentType' => null, 'sizeBytes' => strlen($value), 'sha256' => hash('sha256', $value)];
}
foreach ($_FILES as $name => $file) {
  $held = $file['error'] === 0 ? $file['tmp_name'] : '/dev/null';
  $parts[] = ['name' => $name, 'fileName' => $file['name'], 'contentType' => $file['type'], 'sizeBytes' => $file['size'], 'sha256' => hash_file('sha256', $held)];
}
file_put_contents('php://stderr', json_encode(['parts' => $parts, 'errors' => array_column($_FILES, 'error')]) . "\\n");
http_response_code(201);
`;

const BUSBOY = `
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
const { Busboy } = createRequire(process.argv[1])('@fastify/busboy');
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const server = createServer({ requestTimeout: 0 }, (request, response) => {
  const parts = [];
  const form = new Busboy({ headers: request.headers, preservePath: true, limits: { fieldNameSize: 10000 } });
  form.on('field', (name, value) => {
    parts.push({ name, fileName: null, contentType: null, sizeBytes: Buffer.byteLength(value), sha256: hashOf(value) });
  });
  form.on('file', (name, stream, fileName, _encoding, contentType) => {
    const part = { name, fileName, contentType, sizeBytes: 0, sha256: '' };
    parts.push(part);
    const hash = createHash('sha256');
    stream.on('data', (chunk) => { hash.update(chunk); part.sizeBytes += chunk.length; });
    stream.on('end', () => { part.sha256 = hash.digest('hex'); });
  });
  form.on('finish', () => {
    console.log(JSON.stringify({ parts }));
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Thank you</html>');
  });
  request.pipe(form);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
`;

/** All known receivers, installed or not. */
export const FORM_PEERS: readonly FormPeerKind[] = [
  {
    name: 'Python, cgi.FieldStorage',
    version: () => output('python3', ['-W', 'ignore', '-c', 'import cgi, sys; print(sys.version.split()[0])']),
    start: () => startPeer('python3', ['-W', 'ignore', '-c', PYTHON, 'cgi']),
    tellsOrder: true,
    streams: true,
    keepsPath: true,
  },
  {
    name: 'Python, email.parser',
    version: () => output('python3', ['-c', 'import email.parser, sys; print(sys.version.split()[0])']),
    start: () => startPeer('python3', ['-c', PYTHON, 'email']),
    tellsOrder: true,
    streams: false,
    keepsPath: true,
  },
  {
    name: 'PHP, its built-in server',
    version: () => output('php', ['-r', 'echo PHP_VERSION;']),
    start: startPhp,
    tellsOrder: false,
    streams: false,
    keepsPath: false,
  },
  {
    name: 'busboy',
    version: () => process.versions.node,
    start: () => startPeer(process.execPath, ['--input-type=module', '-e', BUSBOY, import.meta.filename]),
    tellsOrder: true,
    streams: true,
    keepsPath: true,
  },
];

function output(command: string, args: string[]): string | null {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

async function startPhp(): Promise<FormPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-php-'));
  const script = join(folder, 'receive.php');
  writeFileSync(script, PHP);
  const port = await freePort();
  const limits = ['upload_max_filesize=1G', 'post_max_size=1G', 'memory_limit=-1'].flatMap((line) => ['-d', line]);
  const peer = await startPeer('php', [...limits, '-S', `127.0.0.1:${port}`, script], port);
  return { ...peer, close: () => peer.close().finally(() => rmSync(folder, { recursive: true })) };
}

/** Returns a port that was free a moment ago, for servers that do not report their port. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Starts a receiver that reports in lines of JSON: first its port, unless that is known, then each form. */
async function startPeer(command: string, args: string[], knownPort?: number): Promise<FormPeer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const reports: { port?: number; parts?: ReceivedPart[] }[] = [];
  let wake = () => {};
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      said += `${line}\n`;
      if (line.startsWith('{')) reports.push(JSON.parse(line));
      wake();
    });
  }
  child.on('exit', () => wake());
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`${command} ended. It said:\n${said}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const port = knownPort ?? (await until(() => reports.shift()?.port));
  if (knownPort !== undefined) await until(() => (said.includes('started') ? true : undefined));
  return {
    url: new URL(`http://127.0.0.1:${port}/receive`),
    nextForm: () => until(() => reports.shift()?.parts),
    close: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
