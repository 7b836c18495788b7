/** A key request as the component sends it. `user` is sent in a header that the sign-in of the tests reads. */
export const keyRequest = (itemId: unknown, user = 'north.manager@acme.example'): Request =>
  new Request('http://host.example/api/embed/keys', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-vitrine-request': '1', 'x-user': user },
    body: JSON.stringify({ itemId }),
  });

/** The sign-in of tests that call a fetch handler directly: the user is in the header `x-user`. */
export const viewerByHeader = (request: Request) => {
  const userId = request.headers.get('x-user');
  return userId === null ? null : { userId };
};
