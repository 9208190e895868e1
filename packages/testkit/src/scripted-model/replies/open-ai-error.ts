const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

/** The error body of Chat Completions and Responses. */
export function openAiError(status: number, code: string | undefined, message: string): object {
  return {
    error: { message, type: types[status] ?? 'server_error', param: null, code: code ?? null },
  };
}
