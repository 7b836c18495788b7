/** What a portal answers to CreateEncryptedKey: an envelope around a key of 600 characters. */
export const envelope = JSON.stringify({
  result: { key: 'k3y+'.repeat(150) },
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
});
