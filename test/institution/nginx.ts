// nginx in front of several processes, each of which can take any request.
import { mkdirSync, writeFileSync } from 'node:fs';
import { answers, StoreRun } from '../destinations/processes.ts';

export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx in a folder of its own. `front`: its port; `behind`: those of the processes. */
export async function startNginx(dir: string, front: number, behind: readonly number[]): Promise<Nginx> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/nginx.conf`, configOf(dir, front, behind));
  const run = new StoreRun('nginx', dir);
  run.start('nginx', 'nginx', ['-c', `${dir}/nginx.conf`, '-p', dir, '-e', `${dir}/error.log`]);
  await run.until('the start of nginx', () => answers(`http://127.0.0.1:${front}/account`));
  return { stop: () => run.close() };
}

function configOf(dir: string, front: number, behind: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/temporary-${name};`,
  );
  return `daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join(' ')}
  upstream library {
    ${behind.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${front};
    location / {
      proxy_pass http://library;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_connect_timeout 2s;
      client_max_body_size 0;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 300s;
      proxy_send_timeout 300s;
    }
  }
}
`;
}
