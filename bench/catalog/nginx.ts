import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isAnswering } from '../measure.ts'
import { startBenchProgram } from '../program.ts'

const startBoundMs = 10_000

/** An nginx of our own that sends one compressed file, /tree.json; undefined where there is none to run. */
export async function startNginx(
  folder: string,
  compressed: Uint8Array,
): Promise<{ address: string; stop(): Promise<void> } | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined
  const [base, port] = [join(folder, 'nginx'), await freePort()]
  mkdirSync(join(base, 'tmp'), { recursive: true })
  writeFileSync(join(base, 'tree.json'), compressed)
  writeFileSync(join(base, 'nginx.conf'), configuration({ base, port }))
  const program = startBenchProgram('nginx', {
    command: 'nginx',
    args: ['-p', base, '-c', join(base, 'nginx.conf'), '-e', 'stderr'],
  })
  const address = `http://127.0.0.1:${port}`
  const end = performance.now() + startBoundMs
  while (!(await isAnswering(address))) {
    if (program.hasEnded() || performance.now() > end) {
      await program.stop()
      throw new Error(`nginx did not start: ${program.describeEnd()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { address, stop: () => program.stop() }
}

/** One worker, as the program is one process; files go out as nginx does it best. */
function configuration({ base, port }: { base: string; port: number }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${base}/tmp/${name};`)
    .join(' ')
  return `daemon off; worker_processes 1; pid ${base}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; ${temporary}
  default_type application/json;
  server { listen 127.0.0.1:${port}; root ${base}; add_header Content-Encoding gzip; }
}
`
}
