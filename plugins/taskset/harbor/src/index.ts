import { harborTaskset } from './taskset.ts';

export { harborTaskset };

/** Harbor tasks from a folder, a checkout or a package that the config names. */
export default harborTaskset();
