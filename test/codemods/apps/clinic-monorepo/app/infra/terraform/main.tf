resource "aws_cloudwatch_event_connection" "messaging" {
  name               = "messaging"
  authorization_type = "API_KEY"

  auth_parameters {
    api_key {
      key   = "x-api-key"
      value = var.messaging_api_key
    }
  }
}

resource "aws_cloudwatch_event_api_destination" "campaign" {
  name                = "campaign-send"
  invocation_endpoint = "https://api.example.com/v1/campaigns/*/send"
  http_method         = "POST"
  connection_arn      = aws_cloudwatch_event_connection.messaging.arn
}

resource "aws_api_gateway_resource" "v1" {
  path_part = "v1"
}
