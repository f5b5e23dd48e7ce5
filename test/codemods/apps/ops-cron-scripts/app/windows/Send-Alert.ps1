param([string]$To, [string]$Text)

$headers = @{ 'x-api-key' = $env:MESSAGING_API_KEY }
$body = @{ channel = 'SMS'; to = $To; content = $Text } | ConvertTo-Json

Invoke-RestMethod -Method Post -Uri 'https://api.example.com/v1/messages/send' -Headers $headers -Body $body -ContentType 'application/json'
