import { platform, release } from 'node:os';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';
import { engineError, statusOf } from './engine-error.ts';

/** What an engine says of itself. */
export interface EngineAbout {
  /** `1.41`; calls beyond it are not known. */
  readonly api: string;
  /** Builds by BuildKit are there, the engine's own usual way, or are not known at all. */
  readonly buildKit: 'usual' | 'known' | 'none';
  /** Its builder understands what BuildKit understands, asked in the old way: Podman's. */
  readonly isPodman: boolean;
  /** Of its processor, as images name it: `amd64`. */
  readonly arch: string;
  /** On the kernel of this machine, not in a virtual one. */
  readonly runsHere: boolean;
}

const known = new WeakMap<Engine, Promise<EngineAbout>>();

/** Milliseconds. One that is busy with hundreds of containers takes seconds. */
const longestAnswer = 30_000;

/**
 * Asked once per engine.
 * @param limitMs how long it may take to answer
 * @throws VfError runtime/engine_gone when it does not answer in time, or is no engine
 */
export function aboutEngine(engine: Engine, limitMs = longestAnswer): Promise<EngineAbout> {
  let about = known.get(engine);
  if (about === undefined) {
    about = ask(engine, limitMs);
    known.set(engine, about);
    about.catch(() => known.delete(engine));
  }
  return about;
}

type Version = Partial<Docker.DockerVersion>;

async function ask(engine: Engine, limitMs: number): Promise<EngineAbout> {
  const {
    ApiVersion,
    Os = '',
    Arch = '',
    Components = [],
    KernelVersion,
  } = await versionOf(engine, limitMs);
  if (typeof ApiVersion !== 'string') throw noEngine(engine, 'it answers as something else does');
  const isPodman = Components.some(({ Name }) => /podman/i.test(Name));
  return {
    api: ApiVersion,
    isPodman,
    buildKit: isPodman ? 'none' : buildKitOf(ApiVersion, Os),
    arch: Arch,
    runsHere: engine.local && platform() === Os && release() === KernelVersion,
  };
}

async function versionOf(engine: Engine, limitMs: number): Promise<Version> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    await engine.connect();
    return await new Promise((resolve, reject) => {
      engine.docker.modem.dial(
        {
          path: '/version',
          method: 'GET',
          abortSignal: limit,
          statusCodes: { 200: true, 500: 'server error' },
        },
        (error: Error | null, answer: unknown) =>
          error === null ? resolve(Object(answer) as Version) : reject(error),
      );
    });
  } catch (error) {
    if (limit.aborted) throw noEngine(engine, `no answer within ${limitMs / 1000} s`);
    const status = statusOf(error);
    if (status !== null && status !== 500) throw noEngine(engine, `it answers HTTP ${status}`);
    throw engineError(error, 'runtime/engine_gone', `the engine at ${engine.address}`);
  }
}

function noEngine({ address }: Engine, why: string): VfError {
  return new VfError('runtime/engine_gone', `no Docker engine answers at ${address}: ${why}`, {
    hint: `see what \`docker -H ${address} version\` says; --runtime.host or DOCKER_HOST names another`,
    retryable: false,
  });
}

/** Source: Docker release notes. 18.09 (1.39) brought BuildKit, 23.0 (1.42) made it the usual builder on Linux. */
function buildKitOf(api: string, os: string): EngineAbout['buildKit'] {
  const [major = 0, minor = 0] = api.split('.').map(Number);
  if (os !== 'linux' || major < 1 || (major === 1 && minor < 39)) return 'none';
  return major > 1 || minor >= 42 ? 'usual' : 'known';
}
