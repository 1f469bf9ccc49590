// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A file for each property and each format that may say it, made by exiftool, heif-enc and
// OpenImageIO, or byte by byte.
#pragma once

#include <lcms2.h>

#include <map>

#include "io/camera_files.hpp"
#include "io/carried_files.hpp"
#include "io/colored_files.hpp"
#include "io/programs.hpp"
#include "io/properties.hpp"
#include "io/raw_files.hpp"
#include "io/tiff_writer.hpp"
#include "support/files.hpp"
#include "support/profiles.hpp"

namespace sfumato::testing {

/// What the described files say.
inline const QStringList descriptions = {"-n",
                                         "-q",
                                         "-overwrite_original",
                                         "-EXIF:LensModel=Petzval 85",
                                         "-EXIF:Orientation=6",
                                         "-EXIF:ModifyDate=2020:01:02 03:04:05",
                                         "-EXIF:Software=Darkroom 7",
                                         "-EXIF:XResolution=300",
                                         "-EXIF:YResolution=300",
                                         "-EXIF:ResolutionUnit=2",
                                         "-EXIF:ImageDescription=Grüße",
                                         "-EXIF:ColorSpace=1",
                                         "-XMP:Title=Leuchtturm"};

class PropertyInputs {
 public:
  explicit PropertyInputs(const Folder& folder) : folder_(folder) {
    make_pictures();
    describe();
    make_colors();
    make_shapes();
    make_several();
    make_stretched();
    make_carried();
  }

  /// Empty if there is none.
  std::filesystem::path find(Property property, FileKind kind) const {
    const auto found = paths_.find({property, kind});
    return found == paths_.end() ? std::filesystem::path() : found->second;
  }

  /// A profile with Adobe RGB's primaries, which no number of H.273 names.
  const std::vector<unsigned char>& profile() const { return profile_; }

 private:
  using enum Property;
  using enum FileKind;

  static OIIO::ImageSpec picture(int channels = 3, OIIO::TypeDesc type = OIIO::TypeDesc::UINT8) {
    return {16, 12, channels, type};
  }

  std::filesystem::path add(Property property, FileKind kind, const std::string& name) {
    return paths_[{property, kind}] = folder_ / name;
  }

  void make_pictures() {
    make_file(folder_ / "plain.png", {picture()});
    make_file(folder_ / "plain.jpg", {picture()});
    make_file(folder_ / "plain.tif", {picture()});
    // All that OpenImageIO says of a colour space is that it is sRGB.
    put(folder_ / "bare.png", without_chunks(content(folder_ / "plain.png"), "sRGB gAMA cHRM"));
  }

  void encode_heif(const char* from, const char* to) const {
    output_of("heif-enc", {text_of(folder_ / from), "-o", text_of(folder_ / to)});
  }

  // One file of each format says all that exiftool can say in it.
  void describe() {
    const std::map<FileKind, std::string> names = {
        {png, "said.png"}, {jpeg, "said.jpg"}, {tiff, "said.tif"}, {webp, "said.webp"}};
    for (const auto& [kind, name] : names) {
      const auto path = folder_ / name;
      if (kind == webp) {
        copy_picture(folder_ / "plain.png", path);
      } else {
        std::filesystem::copy_file(folder_ / ("plain" + path.extension().string()), path);
      }
      QStringList arguments = descriptions;
      if (kind == jpeg || kind == tiff) arguments << "-IPTC:Keywords=sea";
      if (kind != webp) arguments << "-IFD1:XResolution=72";
      output_of("exiftool", arguments << text_of(path));
      const auto says = {resolution, orientation, exif,        xmp,
                         comments,   software,    time_stamps, previews};
      for (const Property one : says) add(one, kind, name);
    }
    // PNG's own chunks, beside EXIF.
    std::string bytes = content(folder_ / "said.png");
    bytes =
        with_chunks(without_chunks(bytes, "pHYs tIME"),
                    chunk("pHYs", big_endian_bytes(11811, 4) + big_endian_bytes(11811, 4) + '\1') +
                        chunk("iTXt", std::string("Description\0\0\0\0\0Grüße", 23)));
    put(folder_ / "said.png", bytes);
    copy_picture(folder_ / "said.jpg", folder_ / "iptc.png");
    add(iptc, png, "iptc.png");
    add(iptc, jpeg, "said.jpg");
    add(iptc, tiff, "said.tif");
    encode_heif("said.jpg", "said.heic");
    for (const Property one : {resolution, exif, xmp, software, time_stamps, previews}) {
      add(one, heif, "said.heic");
    }
    describe_jpeg2000();
    describe_openexr();
    describe_photoshop();
    describe_targa();
    describe_raw();
    put(folder_ / "said.gif", transparent_gif(1, "Grüße"));
    add(comments, gif, "said.gif");
    put(folder_ / "title.gif", transparent_gif());
    output_of("exiftool", {"-q", "-overwrite_original", "-XMP:Title=Leuchtturm",
                           text_of(folder_ / "title.gif")});
    add(xmp, gif, "title.gif");
    put(folder_ / "said.hdr",
        radiance("EXPOSURE=4\nCAPDATE= 2020:01:02 03:04:05\nVIEW= Grüße\nSOFTWARE= Darkroom 7\n",
                 "-X 12 -Y 16", 12 * 16));
    for (const Property one : {orientation, exposure, comments, software, time_stamps}) {
      add(one, hdr, "said.hdr");
    }
  }

  void convert(const std::string& from, const QStringList& how, const std::string& to) const {
    QStringList arguments = QStringList{text_of(folder_ / from)} + how;
    // OpenImageIO reads no Deflate in PSD.
    if (to.find(".psd") != std::string::npos)
      arguments << "-compress"
                << "RLE";
    output_of("convert", arguments << text_of(folder_ / to));
  }

  void describe_jpeg2000() {
    convert("plain.png", {}, "said.jp2");
    QStringList arguments = descriptions;
    arguments << "-IPTC:Keywords=sea"
              << "-IFD1:XResolution=72";
    output_of("exiftool", arguments << text_of(folder_ / "said.jp2"));
    for (const Property one :
         {resolution, orientation, exif, iptc, xmp, comments, software, time_stamps, previews}) {
      add(one, jpeg2000, "said.jp2");
    }
    OIIO::ImageSpec s = picture();
    s.attribute("ResolutionUnit", "m");
    s.attribute("XResolution", 11811);
    s.attribute("YResolution", 11811);
    make_file(add(resolution, bmp, "said.bmp"), {s});
  }

  void describe_targa() {
    OIIO::ImageSpec s = picture();
    s.attribute("ImageDescription", "Grüße");
    s.attribute("DateTime", "2020:01:02 03:04:05");
    s.attribute("Software", "Darkroom 7");
    make_file(folder_ / "said.tga", {s});
    add(comments, targa, "said.tga");
    add(software, targa, "said.tga");
    add(time_stamps, targa, "said.tga");
    put(add(key_color, targa, "key.tga"), targa_file({.key = 0x102030, .hours = 7}));
    add(job_time, targa, "key.tga");
    put(add(private_tags, targa, "developer.tga"), targa_file({.developer = true}));
  }

  // Their pictures are turned when they are read, and colours are sRGB's, whatever EXIF says.
  void describe_raw() {
    put(folder_ / "said.dng", dng(1));
    QStringList arguments = descriptions;
    arguments << "-IPTC:Keywords=sea"
              << "-EXIF:ColorSpace=2";
    output_of("exiftool", arguments << text_of(folder_ / "said.dng"));
    for (const Property one : {exif, iptc, xmp, comments, software, time_stamps, previews}) {
      add(one, raw, "said.dng");
    }
    put(add(maker_words, raw, "maker.dng"), dng(1, "NIKON CORPORATION", "NIKON D850"));
  }

  void describe_photoshop() {
    convert("plain.png", {"-density", "300", "-units", "PixelsPerInch"}, "said.psd");
    QStringList arguments = descriptions;
    arguments << "-IPTC:Keywords=sea"
              << "-PhotoshopThumbnail<=" + text_of(folder_ / "plain.jpg");
    output_of("exiftool", arguments << text_of(folder_ / "said.psd"));
    for (const Property one :
         {resolution, orientation, exif, iptc, xmp, comments, software, time_stamps, previews}) {
      add(one, psd, "said.psd");
    }
  }

  void describe_openexr() {
    OIIO::ImageSpec s = picture(3, OIIO::TypeDesc::HALF);
    s.attribute("ImageDescription", "Grüße");
    s.attribute("DateTime", "2020:01:02 03:04:05");
    s.attribute("Orientation", 6);
    s.attribute("XResolution", 300.0f);
    s.attribute("Exif:LensModel", "Petzval 85");
    s.attribute("Software", "Darkroom 7");
    make_file(folder_ / "said.exr", {s});
    for (const Property one : {resolution, orientation, exif, comments, software, time_stamps}) {
      add(one, openexr, "said.exr");
    }
  }

  void make_colors() {
    OIIO::ImageSpec s = picture();
    s.attribute("ICCProfile",
                OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile_.size())),
                profile_.data());
    make_file(add(icc_profile, png, "icc.png"), {s});
    make_file(add(icc_profile, jpeg, "icc.jpg"), {s});
    make_file(add(icc_profile, tiff, "icc.tif"), {s});
    copy_picture(folder_ / "icc.png", add(icc_profile, webp, "icc.webp"));
    encode_heif("icc.png", "icc.heic");
    add(icc_profile, heif, "icc.heic");
    copy_picture(folder_ / "icc.png", add(icc_profile, jpeg2000, "icc.jp2"));
    convert("icc.png", {}, "icc.bmp");
    add(icc_profile, bmp, "icc.bmp");
    convert("icc.png", {}, "icc.psd");
    add(icc_profile, psd, "icc.psd");
    put(add(icc_profile, gif, "icc.gif"),
        with_profile(transparent_gif(), std::string(profile_.begin(), profile_.end())));
    put(add(header_colors, bmp, "ends.bmp"), with_end_points(content(folder_ / "icc.bmp"), 2.2));
    make_header_colors();
    const std::string bare = content(folder_ / "bare.png");
    put(add(cicp, png, "cicp.png"),
        with_chunks(bare, chunk("cICP", std::string("\x09\x10\0\1", 4))));
    std::string numbers;
    for (const std::uint64_t n : {31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000}) {
      numbers += big_endian_bytes(n, 4);
    }
    put(add(gamma_and_primaries, png, "chrm.png"),
        with_chunks(bare, chunk("gAMA", big_endian_bytes(45455, 4)) + chunk("cHRM", numbers)));
    OIIO::ImageSpec linear = picture(3, OIIO::TypeDesc::HALF);
    const std::array<float, 8> adobe = {0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    linear.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), adobe.data());
    make_file(add(chromaticities, openexr, "primaries.exr"), {linear});
    encode_heif("plain.png", "plain.avif");
    std::string avif = content(folder_ / "plain.avif");
    if (const std::size_t box = avif.find("colrnclx"); box != std::string::npos) avif[box + 9] = 9;
    put(add(nclx, heif, "nclx.avif"), avif);
    for (const auto& [kind, name] : std::map<FileKind, const char*>{{jpeg, "adobe.jpg"},
                                                                    {tiff, "adobe.tif"},
                                                                    {webp, "adobe.webp"},
                                                                    {png, "adobe.png"},
                                                                    {heif, "adobe.avif"},
                                                                    {psd, "adobe.psd"}}) {
      const auto path = add(exif_color_space, kind, name);
      if (kind == png) put(path, bare);
      // Its nclx would count more.
      if (kind == heif) put(path, with("colrnclx", "freenclx", content(folder_ / "plain.avif")));
      if (kind == psd) convert("bare.png", {}, name);
      if (!std::filesystem::exists(path)) copy_picture(folder_ / "bare.png", path);
      output_of("exiftool", {"-n", "-q", "-overwrite_original", "-EXIF:ColorSpace=2",
                             "-XMP:Title=x", text_of(path)});
    }
  }

  void make_header_colors() {
    TiffWriter tags;
    tags.fractions(318, 5, {0.3127, 0.3290});
    tags.fractions(319, 5, {0.64, 0.33, 0.21, 0.71, 0.15, 0.06});
    put(add(header_colors, tiff, "primaries.tif"),
        plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), tags));
    put(add(header_colors, hdr, "primaries.hdr"),
        radiance("PRIMARIES=0.64 0.33 0.21 0.71 0.15 0.06 0.3127 0.3290\n"));
    copy_picture(folder_ / "bare.png", folder_ / "plain.jp2");
    put(add(header_colors, jpeg2000, "romm.jp2"), in_space(content(folder_ / "plain.jp2"), 21));
  }

  // White and black above, black and white below; and red and clear.
  void make_shapes() {
    const std::string white_first("\0\xff\xff\0", 4);
    put(add(min_is_white, tiff, "white.tif"),
        plain_tiff(2, 2, 1, 16, 0, 1, std::string("\0\0\xff\xff\xff\xff\0\0", 8)));
    const std::string palette_colors("\xff\0\0\0\0\xff", 6);  // red, blue
    const std::string header = std::string("\x89PNG\r\n\x1a\n") +
                               chunk("IHDR", std::string("\0\0\0\2\0\0\0\1\x08\3\0\0\0", 13));
    // Deflate, stored: no filter, 0, 1.
    const std::string data("\x78\x01\x01\x03\x00\xfc\xff\0\0\1\0\4\0\2", 14);
    put(add(palette, png, "palette.png"),
        header + chunk("PLTE", palette_colors) + chunk("IDAT", data) + chunk("IEND", ""));
    TiffWriter t;
    t.longs(256, 2);
    t.longs(257, 1);
    t.shorts(258, {8});
    t.shorts(259, {1});
    t.shorts(262, {3});
    t.shorts(277, {1});
    t.longs(278, 1);
    t.longs(279, 2);
    std::vector<std::uint32_t> colors(768);
    colors[0] = 65535;            // red of 0
    colors[2 * 256 + 1] = 65535;  // blue of 1
    t.shorts(320, colors);
    put(add(palette, tiff, "palette.tif"), t.file(std::string("\0\1", 2)));
    put(add(palette, gif, "palette.gif"), transparent_gif());
    add(alpha, gif, "palette.gif");
    convert("palette.png", {"-type", "palette"}, "palette.bmp");
    add(palette, bmp, "palette.bmp");
    convert("palette.png", {"-type", "palette"}, "palette.tga");
    add(palette, targa, "palette.tga");
    // Planes of the palette's reds, greens and blues, and the numbers 0 and 1.
    std::string planes(768, '\0');
    planes[0] = planes[2 * 256 + 1] = '\xff';
    put(add(palette, psd, "palette.psd"),
        "8BPS" + big_endian_bytes(1, 2) + std::string(6, '\0') + big_endian_bytes(1, 2) +
            big_endian_bytes(1, 4) + big_endian_bytes(2, 4) + big_endian_bytes(8, 2) +
            big_endian_bytes(2, 2) + big_endian_bytes(768, 4) + planes +
            std::string(4 + 4 + 2, '\0') + std::string("\0\1", 2));
    copy_picture(folder_ / "palette.gif", add(alpha, png, "clear.png"));
    OIIO::ImageSpec s(2, 1, 4, OIIO::TypeDesc::UINT8);
    make_clear(add(alpha, tiff, "clear.tif"), s);
    make_clear(add(alpha, openexr, "clear.exr"), OIIO::ImageSpec(2, 1, 4, OIIO::TypeDesc::HALF));
    copy_picture(folder_ / "clear.png", add(alpha, webp, "clear.webp"), {.quality = 100});
    make_clear(folder_ / "large.png", OIIO::ImageSpec(64, 64, 4, OIIO::TypeDesc::UINT8));
    encode_heif("large.png", "clear.heic");
    add(alpha, heif, "clear.heic");
    for (const auto& [kind, name] : std::map<FileKind, const char*>{{jpeg2000, "clear.jp2"},
                                                                    {bmp, "clear.bmp"},
                                                                    {targa, "clear.tga"},
                                                                    {psd, "clear.psd"}}) {
      convert("large.png", {}, name);
      add(alpha, kind, name);
    }
  }

  // The first pixel is clear, and the last of the first row is opaque.
  static void make_clear(const std::filesystem::path& path, const OIIO::ImageSpec& spec) {
    auto out = OIIO::ImageOutput::create(path.string());
    if (!out || !out->open(path.string(), spec)) throw std::runtime_error("no output");
    std::vector<float> pixels(4 * spec.image_pixels());
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
      if (i / 4 % static_cast<std::size_t>(spec.width) < static_cast<std::size_t>(spec.width) / 2) {
        continue;
      }
      pixels[i] = pixels[i + 3] = 1;
    }
    if (!out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()) || !out->close()) {
      throw std::runtime_error("not written");
    }
  }

  // As Android's cameras say it.
  void say_gain_map(const std::string& name) const {
    put(folder_ / "map.xmp",
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
        "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
        "xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
        "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" "
        "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\" "
        "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='3'>"
        "<Container:Directory><rdf:Seq><rdf:li rdf:parseType=\"Resource\">"
        "<Container:Item Item:Semantic=\"Primary\" Item:Mime=\"image/jpeg\"/></rdf:li>"
        "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" "
        "Item:Mime=\"image/jpeg\" Item:Length=\"800\"/></rdf:li></rdf:Seq>"
        "</Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>");
    output_of("exiftool", {"-q", "-overwrite_original", "-XMP<=" + text_of(folder_ / "map.xmp"),
                           text_of(folder_ / name)});
  }

  void make_attached(const std::string& jpg) {
    put(folder_ / "map.jpg", jpg);
    say_gain_map("map.jpg");
    put(add(gain_map, jpeg, "gain.jpg"), multi_picture({content(folder_ / "map.jpg"), jpg}, {0}));
    // The opacity becomes Apple's gain map; the longer name of its kind ends with zeros.
    encode_heif("large.png", "gain.avif");
    const std::string map = "urn:com:apple:photo:2020:aux:hdrgainmap";
    put(add(gain_map, heif, "gain.avif"),
        with("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", map + std::string(4, '\0'),
             content(folder_ / "gain.avif")));
    say_gain_map("gain.avif");
    output_of("ffmpeg", {"-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.3:r=10", "-c:v",
                         "mpeg4", "-movflags", "+faststart", text_of(folder_ / "movie.mp4")});
    const std::string film = content(folder_ / "movie.mp4");
    put(folder_ / "movie.jpg", jpg);
    encode_heif("plain.png", "movie.heic");
    for (const char* name : {"movie.jpg", "movie.heic"}) {
      output_of("exiftool", {"-q", "-n", "-overwrite_original", "-XMP-GCamera:MicroVideo=1",
                             "-XMP-GCamera:MicroVideoOffset=" + QString::number(film.size()),
                             "-XMP:Rating=3", text_of(folder_ / name)});
    }
    put(add(movie, jpeg, "movie.jpg"), content(folder_ / "movie.jpg") + film);
    put(add(movie, heif, "movie.heic"),
        content(folder_ / "movie.heic") + big_endian_bytes(film.size() + 8, 4) + "mpvd" + film);
  }

  void make_several() {
    make_file(add(pages, tiff, "pages.tif"), {picture(), picture(), picture()});
    put(add(frames, gif, "frames.gif"), transparent_gif(3));
    output_of("ffmpeg", {"-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.3:r=10", "-c:v",
                         "libaom-av1", "-cpu-used", "8", "-color_trc", "iec61966-2-1", "-f", "avif",
                         text_of(add(frames, heif, "frames.avif"))});
    const std::string jpg = content(folder_ / "plain.jpg");
    put(add(pages, jpeg, "pages.jpg"), multi_picture({jpg, jpg}, {0x020002}));
    output_of("heif-enc", {text_of(folder_ / "large.png"), text_of(folder_ / "plain.png"), "-o",
                           text_of(add(pages, heif, "pages.heic"))});
    make_attached(jpg);
    convert("plain.png", {text_of(folder_ / "plain.png")}, "pages.psd");
    add(pages, psd, "pages.psd");
    put(add(frames, png, "frames.png"), animated_png(content(folder_ / "plain.png"), 2, 2));
    output_of("webpmux", {"-frame", text_of(folder_ / "clear.webp"), "+100", "-frame",
                          text_of(folder_ / "clear.webp"), "+100", "-o",
                          text_of(add(frames, webp, "frames.webp"))});
    for (const auto& path : {add(levels, openexr, "levels.exr"), add(levels, tiff, "levels.tif")}) {
      output_of("maketx", {text_of(folder_ / "plain.tif"), "-o", text_of(path)});
    }
    OIIO::ImageSpec s = picture(6, OIIO::TypeDesc::HALF);
    s.channelnames = {"R", "G", "B", "N.X", "N.Y", "N.Z"};
    make_file(add(layers, openexr, "layers.exr"), {s});
    OIIO::ImageSpec cut = picture(3, OIIO::TypeDesc::HALF);
    cut.x = 3;
    cut.full_width = 40;
    cut.full_height = 30;
    make_file(add(windows, openexr, "window.exr"), {cut});
  }

  // Pixels are twice as wide as high.
  void make_stretched() {
    put(add(pixel_aspect, png, "wide.png"),
        with_chunks(content(folder_ / "bare.png"),
                    chunk("pHYs", big_endian_bytes(1, 4) + big_endian_bytes(2, 4) + '\0')));
    put(add(pixel_aspect, jpeg, "wide.jpg"), with_density(content(folder_ / "plain.jpg"), 1, 2));
    OIIO::ImageSpec s = picture();
    s.attribute("PixelAspectRatio", 2.0f);
    s.attribute("ResolutionUnit", "none");
    make_file(add(pixel_aspect, tiff, "wide.tif"), {s});
    make_file(add(pixel_aspect, targa, "wide.tga"), {s});
    s.set_format(OIIO::TypeDesc::HALF);
    make_file(add(pixel_aspect, openexr, "wide.exr"), {s});
    put(add(pixel_aspect, hdr, "wide.hdr"), radiance("PIXASPECT=0.5\n"));
    copy_picture(folder_ / "wide.png", add(pixel_aspect, heif, "wide.heic"));
    std::string wide_gif = transparent_gif();
    wide_gif[12] = 113;  // in 64ths, and 15 more
    put(add(pixel_aspect, gif, "wide.gif"), wide_gif);
    convert("plain.png", {}, "plain.psd");
    const std::string plain = content(folder_ / "plain.psd");
    const std::string two = big_endian_bytes(std::uint64_t{1} << 62, 8);  // as a double
    put(add(pixel_aspect, psd, "wide.psd"),
        with_resource(plain, image_resource(1064, big_endian_bytes(1, 4) + two)));
    put(add(photoshop, psd, "owned.psd"),
        with_resource(plain,
                      image_resource(1034, "\1") + image_resource(1035, "http://example.org/")));
  }

  void make_carried() {
    for (const auto& [kind, name] : {std::pair{jpeg, "owned.jpg"}, {tiff, "owned.tif"}}) {
      const auto path = add(photoshop, kind, name);
      std::filesystem::copy_file(folder_ / ("plain" + path.extension().string()), path);
      output_of("exiftool", {"-n", "-q", "-overwrite_original", "-Photoshop:CopyrightFlag=1",
                             "-Photoshop:URL=http://example.org/", text_of(path)});
    }
    copy_picture(folder_ / "owned.jpg", add(photoshop, png, "owned.png"));
    const std::string bare = content(folder_ / "bare.png");
    put(add(other_chunks, png, "chunks.png"), with_chunks(bare, chunk("prVt", "kept")));
    put(add(mastering, png, "light.png"),
        with_chunks(bare, chunk("cICP", std::string("\x09\x10\0\1", 4)) +
                              chunk("mDCV", mastering_data()) + chunk("cLLI", level_data())));
    copy_picture(folder_ / "light.png", add(mastering, heif, "light.avif"));
    const auto tagged = [](const TiffWriter& more) {
      return plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), more);
    };
    put(add(georeferencing, tiff, "map.tif"), tagged(map_tags()));
    TiffWriter place, own;
    place.fractions(286, 5, {1.5});
    place.shorts(297, {2, 5});
    put(add(page_place, tiff, "placed.tif"), tagged(place));
    own.text(65000, "private words");
    put(add(private_tags, tiff, "tags.tif"), tagged(own));
    OIIO::ImageSpec s = picture(3, OIIO::TypeDesc::HALF);
    s.attribute("textureformat", "LatLong Environment");
    s.attribute("wrapmodes", "periodic");
    make_file(add(environment, openexr, "around.exr"), {s});
    s = picture(3, OIIO::TypeDesc::HALF);
    s.attribute("utcOffset", 3600.0f);
    make_file(add(own_numbers, openexr, "numbers.exr"), {s});
    put(add(comments, pnm, "said.ppm"), "P6\n# Grüße\n2 2 255\n" + std::string(12, 'x'));
    put(add(sample_scale, pnm, "scale.pfm"), "Pf\n2 2\n-2.5\n" + std::string(16, '1'));
    put(add(pages, pnm, "pages.ppm"),
        "P6 2 2 255\n" + std::string(12, 'x') + "P6 2 2 255\n" + std::string(12, 'y'));
  }

  const std::vector<unsigned char> profile_ = gamma_profile();
  const Folder& folder_;
  std::map<std::pair<Property, FileKind>, std::filesystem::path> paths_;
};

}  // namespace sfumato::testing
