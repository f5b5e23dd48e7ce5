/**
 * Products of User-Agents that name no program of a customer: what they are made with, and where they run. They may always be shown.
 * A name that many programs have is here, not one that a customer gives to his.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What makes the requests: of JavaScript, Python, the JVM, Go, PHP, Ruby and Perl, .NET and C, others, and services and tools. */
const libraries = words(`
  axios node-fetch undici got ky ofetch wretch needle superagent node-superagent request request.js bent phin gaxios
  electron-fetch isomorphic-fetch cross-fetch angular
  python-requests Python-urllib python-urllib3 urllib3 aiohttp python-httpx httpx Python-httplib2 httplib2 PycURL
  tornado treq niquests Python-xmlrpc Scrapy Boto3 Botocore
  okhttp network-okhttp3 Java-http-client Apache-HttpClient Apache-HttpAsyncClient Commons-HttpClient AHC
  async-http-client ReactorNetty Jersey RESTEasy unirest-java Retrofit Feign Ktor ktor-client Google-HTTP-Java-Client
  Spring SpringWebClient RestTemplate Jetty Vert.x-WebClient akka-http pekko-http scalaj-http sttp http4s-ember
  dispatch Micronaut Quarkus Helidon Apache-CXF CXF Axis grpc-java grpc-java-okhttp Jakarta-Commons-HttpClient
  babashka.http-client clj-http
  Go-http-client fasthttp resty go-resty req gorequest grequests Colly
  GuzzleHttp Guzzle Symfony HttpClient HTTP_Request2 PHP-Curl-Class PHP-SOAP Zend_Http_Client Laminas_Http_Client Buzz
  Unirest-PHP CakePHP WordPress
  Faraday rest-client HTTParty http.rb httpx.rb Typhoeus Excon Mechanize HTTPClient Curb libwww-perl lwp LWP::Simple
  lwp-request WWW-Mechanize Mojolicious REST::Client HTTP-Tiny
  RestSharp Flurl Refit WinHTTP WinHttp.WinHttpRequest.5 cpprestsdk cpp-httplib libcurl curl nscurl libsoup neon serf
  CFNetwork Alamofire Moya AFNetworking BoostBeast POCO QtNetwork
  reqwest hyper ureq isahc surf attohttpc hackney Finch mint Tesla HTTPoison httpc ibrowse gun lua-resty-http LuaSocket
  httr httr2 r-curl Dio elm-http HTTPie xh Wget Wget2 aria2 uclient-fetch PowerShell WindowsPowerShell
  Mozilla PostmanRuntime insomnia Apidog bruno-runtime Paw RapidAPI Thunder-Client vscode-restclient IntelliJ SoapUI
  n8n Make Integromat Zapier azure-logic-apps microsoft-flow PowerAutomate Power-Query Cloudflare-Workers
  Google-Apps-Script Workato Pipedream IFTTT Tray.io MuleSoft Mule AHC-Mule SFDC-Callout ServiceNow AmazonAPIGateway
  Node-RED Airflow Hubot k6 Grafana-k6 JMeter Apache-JMeter Locust Gatling Artillery vegeta wrk ApacheBench hey
  autocannon migrate-v2 libcurl-agent lwp-trivial LWP::UserAgent Manticore unirest-net Embarcadero
  aws-sdk-js aws-sdk-nodejs aws-sdk-java aws-sdk-kotlin aws-sdk-go aws-sdk-go-v2 aws-sdk-php aws-sdk-ruby2 aws-sdk-ruby3
  aws-sdk-dotnet aws-sdk-dotnet-coreclr aws-sdk-net aws-sdk-cpp aws-sdk-rust aws-sdk-swift aws-sdk-iOS aws-sdk-android
  google-api-nodejs-client google-api-java-client google-api-python-client google-api-dotnet-client google-api-go-client
  google-api-php-client google-api-ruby-client google-api-objc-client google-api-cpp-client google-api-client
`);

/** Where it runs, and what that is made of: shown where nothing else is known. */
const surroundings = words(`
  node Node.js nodejs Deno Bun Python CPython PyPy Java JVM OpenJDK Kotlin Scala Clojure Go PHP Ruby JRuby Perl Dart
  Swift Rust Erlang Elixir R .NET .NETCore .NETFramework dotnet CLR Mono Electron Dalvik Darwin Linux Windows macOS iOS
  iPadOS Android FreeBSD Ubuntu Debian Alpine os arch lang platform md NSS OpenSSL LibreSSL BoringSSL GnuTLS wolfSSL
  mbedTLS SecureTransport Schannel rustls zlib brotli zstd libidn libidn2 WinIDN libpsl libssh libssh2 librtmp c-ares
  nghttp2 nghttp3 ngtcp2 quiche OpenLDAP libgsasl gzip gfe Jakarta Apache AWS exec-env cfg ua api yum
`);

export interface KnownProduct {
  readonly name: string;
  readonly isLibrary: boolean;
}

/** By names in lower case. */
export const knownProducts: ReadonlyMap<string, KnownProduct> = new Map<string, KnownProduct>([
  ...surroundings.map((name) => [name.toLowerCase(), { name, isLibrary: false }] as const),
  ...libraries.map((name) => [name.toLowerCase(), { name, isLibrary: true }] as const),
]);

/** What stands before a library in its own User-Agent; the record of older versions has the hash of that. */
export const standsBefore: ReadonlyMap<string, string> = new Map([
  ['aiohttp', 'Python'],
  ['Commons-HttpClient', 'Jakarta'],
]);
