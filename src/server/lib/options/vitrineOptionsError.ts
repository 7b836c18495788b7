/** Codes of {@link VitrineOptionsError}: stable, one for each mistake. */
export type VitrineOptionsErrorCode =
  | 'missing_options'
  | 'unknown_option'
  | 'missing_portal'
  | 'invalid_portal'
  | 'invalid_proxy'
  | 'missing_viewer'
  | 'missing_can_view'
  | 'invalid_key_lifetime'
  | 'invalid_rate_limit'
  | 'invalid_upstream'
  | 'invalid_allowed_origins'
  | 'invalid_logger'
  | 'invalid_open_telemetry'
  | 'invalid_actions'
  | 'invalid_endpoint'
  | 'invalid_strict_rls'
  | 'invalid_now'
  | 'invalid_hook'
  | 'invalid_timeout'
  | 'invalid_max_tenants'
  | 'invalid_web_request'
  | 'missing_environment'
  | 'missing_webhook_secret'
  | 'invalid_webhook_secret'
  | 'webhook_secret_too_short'
  | 'invalid_allowed_sources'
  | 'missing_inbox'
  | 'missing_inbox_file'
  | 'invalid_inbox_file'
  | 'missing_inbox_connection'
  | 'invalid_inbox_connection'
  | 'inbox_pool_too_small'
  | 'invalid_inbox_schema'
  | 'invalid_action_handler'
  | 'missing_audience'
  | 'invalid_action_option';

/** An option is not valid. Thrown at construction, so that an invalid setup does not start. */
export class VitrineOptionsError extends Error {
  override readonly name = 'VitrineOptionsError';
  /** Stable code of the mistake; docs/guides/key-endpoint.md lists them. */
  readonly code: VitrineOptionsErrorCode;

  constructor(code: VitrineOptionsErrorCode, message: string) {
    super(`${message} [${code}]`);
    this.code = code;
  }
}
