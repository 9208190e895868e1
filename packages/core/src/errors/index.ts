export { VfError, familyOf, isInfrastructure } from './vf-error.ts';
export type { Problem, VfErrorOptions } from './vf-error.ts';
export { errorCodes } from './codes.ts';
export type { ErrorCode } from './codes.ts';
export { SendFailed } from './send-failed.ts';
export { toVfError } from './to-vf-error.ts';
export { boundedMessage, boundedStack } from './bounded.ts';
export { nearest } from './nearest.ts';
