/** The name under which the model is served. */
export const MODEL = 'smollm2-135m-instruct';
