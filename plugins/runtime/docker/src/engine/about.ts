import { platform, release } from 'node:os';
import type { Engine } from './engine.ts';
import { engineError } from './engine-error.ts';

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

/** Asked once per engine. @throws VfError runtime/engine_gone when it does not answer */
export function aboutEngine(engine: Engine): Promise<EngineAbout> {
  let about = known.get(engine);
  if (about === undefined) {
    about = ask(engine);
    known.set(engine, about);
    about.catch(() => known.delete(engine));
  }
  return about;
}

async function ask(engine: Engine): Promise<EngineAbout> {
  try {
    await engine.connect();
    const { ApiVersion, Os, Arch, Components, KernelVersion } = await engine.docker.version();
    const isPodman = Components.some(({ Name }) => /podman/i.test(Name));
    return {
      api: ApiVersion,
      isPodman,
      buildKit: isPodman ? 'none' : buildKitOf(ApiVersion, Os),
      arch: Arch,
      runsHere: engine.local && platform() === Os && release() === KernelVersion,
    };
  } catch (error) {
    throw engineError(error, 'runtime/engine_gone', `the engine at ${engine.address}`);
  }
}

/** Source: Docker release notes. 18.09 (1.39) brought BuildKit, 23.0 (1.42) made it the usual builder on Linux. */
function buildKitOf(api: string, os: string): EngineAbout['buildKit'] {
  const [major = 0, minor = 0] = api.split('.').map(Number);
  if (os !== 'linux' || major < 1 || (major === 1 && minor < 39)) return 'none';
  return major > 1 || minor >= 42 ? 'usual' : 'known';
}
