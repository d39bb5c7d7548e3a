# A seller's program as Ruby users write it: Net::HTTP with `set_form_data` for tokens and a JSON body whose content
# type is not set, which makes it a form.
require 'json'
require 'net/http'
require 'socket'
require 'uri'

BASE = URI(ENV.fetch('FERIA'))
CLIENT = { 'client_id' => ENV.fetch('CLIENT_ID'), 'client_secret' => ENV.fetch('CLIENT_SECRET') }.freeze

def send_request(request)
  response = Net::HTTP.start(BASE.host, BASE.port) { |http| http.request(request) }
  raise "#{request.method} #{request.path}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end

def token(fields)
  request = Net::HTTP::Post.new('/oauth/token')
  request.set_form_data(CLIENT.merge(fields))
  send_request(request)
end

def call(method, path, access_token, body = nil)
  request = Net::HTTP.const_get(method).new(path)
  request['Authorization'] = "Bearer #{access_token}"
  request.body = JSON.generate(body) unless body.nil?
  send_request(request)
end

server = TCPServer.new('127.0.0.1', ENV.fetch('RECEIVER_PORT').to_i)
redirect = ENV.fetch('REDIRECT_URI')
tokens = token('grant_type' => 'authorization_code', 'code' => ENV.fetch('CODE'), 'redirect_uri' => redirect)
tokens = token('grant_type' => 'refresh_token', 'refresh_token' => tokens['refresh_token'])
renewed = Array.new(2) do
  Thread.new { token('grant_type' => 'refresh_token', 'refresh_token' => tokens['refresh_token']) }
end.map(&:value)
access = renewed[0]['access_token']
result = { same_successor: renewed[0]['refresh_token'] == renewed[1]['refresh_token'] }
seller = call('Get', '/users/me', access)['id']

orders = []
loop do
  page = call('Get', "/orders/search?seller=me&sort=date_desc&limit=2&offset=#{orders.size}", access)
  orders += page['results']
  break if page['results'].empty? || orders.size >= page['paging']['total']
end
result[:orders] = orders.size
result[:order] = call('Get', "/orders/#{orders[0]['id']}", access)['id'] == orders[0]['id']

items = []
scroll = nil
loop do
  more = scroll ? "&scroll_id=#{URI.encode_www_form_component(scroll)}" : ''
  page = call('Get', "/users/#{seller}/items/search?search_type=scan&limit=2#{more}", access)
  items += page['results']
  scroll = page['scroll_id']
  break if page['results'].empty? || scroll.nil?
end
result[:items] = items.uniq.size

answer = { question_id: ENV.fetch('QUESTION_ID').to_i, text: 'Sí, hay stock.' }
result[:answered] = call('Post', '/answers', access, answer)['status']

upload = Net::HTTP::Post.new('/messages/attachments?tag=post_sale&site_id=MLA')
upload['Authorization'] = "Bearer #{access}"
File.open(ENV.fetch('FILE'), 'rb') do |file|
  options = { filename: 'etiqueta.png', content_type: 'image/png' }
  upload.set_form([['file', file, options]], 'multipart/form-data')
  upload = send_request(upload)
end
message = {
  from: { user_id: seller }, to: { user_id: ENV.fetch('BUYER_ID').to_i },
  text: 'Te mando la foto.', attachments: [upload['id']]
}
path = "/messages/packs/#{ENV.fetch('PACK_ID')}/sellers/#{seller}?tag=post_sale"
result[:message] = call('Post', path, access, message)['status']

item = call('Post', '/items', access, JSON.parse(ENV.fetch('PUBLICATION')))
changed = call('Put', "/items/#{item['id']}", access, { price: '2100.50', available_quantity: '7' })
result[:price] = changed['price']
result[:quantity] = changed['available_quantity']
missed = call('Get', "/missed_feeds?app_id=#{CLIENT['client_id']}", access)
result[:missed] = missed['messages'].is_a?(Array)

connection = server.accept
length = 0
while (line = connection.gets.chomp) != ''
  length = line.split(':')[1].to_i if line.downcase.start_with?('content-length:')
end
notification = JSON.parse(connection.read(length))
connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
connection.close
result[:received] = notification['topic']
result[:key] = notification['_id'].size == 24
puts JSON.generate(result)
