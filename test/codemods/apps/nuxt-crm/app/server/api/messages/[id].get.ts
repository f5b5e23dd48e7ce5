export default cachedEventHandler(
  async (event) => {
    const id = getRouterParam(event, 'id');
    return await messagingFetch(`/v1/messages/${id}`);
  },
  { maxAge: 30, name: 'message' },
);
