export const typeDefs = `#graphql
  type Contact { id: ID! name: String phone: String }
  type Message { id: ID! status: String }
  type Query {
    contacts(page: Int = 1, limit: Int = 20): [Contact!]!
    contact(id: ID!): Contact
    message(id: ID!): Message
  }
  type Mutation {
    send(to: String!, content: String!): ID!
    startCampaign(name: String!): Boolean!
  }
`;
