import {
  createKeyMinter,
  type KeyMinter,
  type KeyMinterOptions,
  type MintedKey,
} from '../embedding/createKeyMinter.ts';
import type { MintRequest } from '../embedding/mintRequest.ts';
import { parsePortalConnection } from '../embedding/parsePortalConnection.ts';
import type { PortalConnectionInput } from '../embedding/portalConnection.ts';
import { PortalError } from '../errors/portalError.ts';

/** Encrypted keys for embedded reports (docs/interface.md#4.6). */
export interface EmbeddedKeysResource {
  /**
   * POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey. Retried once after a broken connection, because an
   * additional key is harmless. Needs the client's option `embedding`. A read-only client rejects it.
   */
  readonly create: (request: MintRequest) => Promise<MintedKey>;
}

/** The client's setup for embedding. */
export interface EmbeddingSetup {
  readonly embedding: PortalConnectionInput | undefined;
  readonly minter: Pick<KeyMinterOptions, 'dispatcher' | 'tls'>;
  readonly readOnly: boolean;
  /** Throws if the client is closed: new connections would stay open. */
  readonly requireOpen: () => void;
}

/** The encrypted keys of a client. Connections open on the first key. */
export const createEmbeddedKeys = (
  setup: EmbeddingSetup,
): EmbeddedKeysResource & { readonly close: () => Promise<void> } => {
  const connection = setup.embedding && parsePortalConnection(setup.embedding);
  let minter: KeyMinter | undefined;
  return {
    create: async (request) => {
      setup.requireOpen();
      if (setup.readOnly)
        throw new PortalError(
          'No key was created: this client is read-only. Remove {readOnly} to create keys.',
          { kind: 'read_only', code: 'read_only' },
        );
      if (connection === undefined)
        throw new PortalError(
          'No key can be created: the client has no option embedding. Set it with tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey and passPhrase.',
          { kind: 'config', code: 'bad_option_embedding' },
        );
      minter ??= createKeyMinter(connection, setup.minter);
      return minter.mint(request);
    },
    close: async () => minter?.close(),
  };
};
