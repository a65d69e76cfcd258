// nginx in front of PHP: the most common form receiver there is. PHP reads the form while it arrives.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { droppedFile, makeDrop } from './parsers.ts';
import { answers, freePorts, missingPrograms, programPath, StoreRun } from './processes.ts';
import type { Store, StoreKind } from './store.ts';

/** Debian names the program by its version; newest first. */
const FPM = ['php-fpm8.4', 'php-fpm8.3', 'php-fpm8.2', 'php-fpm8.1', 'php-fpm'];

export const PHP: StoreKind = {
  name: 'nginx and php-fpm',
  packages: ['nginx-light', 'php-fpm'],
  missing: () => [
    ...missingPrograms(['nginx']),
    ...(FPM.some((name) => programPath(name) !== null) ? [] : ['php-fpm']),
  ],
  start: startPhp,
  checksDescriptors: false,
  mostBytes: null,
};

const SCRIPT = `<?php
$file = $_FILES['file'] ?? null;
$slot = $_POST['slot'] ?? '';
if ($file === null || $file['error'] !== 0 || !preg_match('/^slot-[0-9]+-[0-9]+$/', $slot)) {
  http_response_code(422);
  exit('No file: ' . json_encode([$file['error'] ?? null, array_keys($_POST)]));
}
if (array_keys($_POST) !== ['slot', 10, 2]) { http_response_code(422); exit('The fields are in another order.'); }
rename($file['tmp_name'], getenv('DROP') . '/' . $slot);
http_response_code(201);
echo json_encode(['name' => $file['name'], 'size' => $file['size']]);
`;

async function startPhp(): Promise<Store> {
  const run = new StoreRun('php');
  try {
    const [port = 0, fpmPort = 0] = await freePorts(2);
    const drop = makeDrop(run);
    configure(run, port, fpmPort, drop);
    const fpm = FPM.find((name) => programPath(name) !== null) ?? 'php-fpm';
    run.start('fpm', fpm, ['-F', '-y', 'fpm.conf', '-p', run.dir]);
    const url = `http://127.0.0.1:${port}/drop.php`;
    let nginx: ChildProcess;
    const restart = async () => {
      nginx = run.start('nginx', 'nginx', ['-p', run.dir, '-c', 'nginx.conf', '-e', 'nginx-error.log']);
      await run.until('the start of nginx and PHP', () => answers(url));
    };
    await restart();
    return {
      destination: (wish) => droppedFile(url, drop, wish),
      crash: () => run.kill(nginx),
      restart,
      residentBytes: () => run.residentBytes(),
      close: () => run.close(),
    };
  } catch (error) {
    await run.close();
    throw error;
  }
}

function configure(run: StoreRun, port: number, fpmPort: number, drop: string): void {
  const { dir } = run;
  const put = (name: string, text: string) => writeFileSync(join(dir, name), text);
  put('drop.php', SCRIPT);
  put(
    'fpm.conf',
    `[global]
pid = ${dir}/fpm.pid
error_log = ${dir}/fpm-error.log
daemonize = no
[www]
listen = 127.0.0.1:${fpmPort}
pm = static
pm.max_children = 2
env[DROP] = ${drop}
php_admin_value[upload_max_filesize] = 8G
php_admin_value[post_max_size] = 8G
php_admin_value[upload_tmp_dir] = ${drop}
php_admin_value[max_input_time] = -1
`,
  );
  const paths = ['client_body', 'fastcgi', 'proxy', 'uwsgi', 'scgi'];
  put(
    'nginx.conf',
    `daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log ${dir}/nginx-error.log;
events {}
http {
  access_log off;
${paths.map((name) => `  ${name}_temp_path ${dir}/${name};`).join('\n')}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 8g;
    location / {
      fastcgi_pass 127.0.0.1:${fpmPort};
      fastcgi_request_buffering off;
      fastcgi_read_timeout 300s;
      fastcgi_param SCRIPT_FILENAME ${dir}/drop.php;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
    }
  }
}
`,
  );
}
