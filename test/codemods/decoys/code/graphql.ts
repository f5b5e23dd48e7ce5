export const query = /* GraphQL */ `
  query Usage {
    route(path: "/v1/messages/send") { calls header(name: "x-api-key") }
  }
`;
